/// One button under the policy `reject`: its runs, its busy period and what it displays.
///
/// A value: an event goes in with its moment, new state and one action come out. A run is the truth; the phase is a
/// projection of it. Deadlines are computed from the state, so a timer of an ended run cannot exist (I10).
struct ButtonMachine: Hashable, Sendable {
    let times: ButtonTimes
    let isCancellable: Bool
    /// Rises with every change of what the button displays (I3).
    private(set) var rev = 1
    private(set) var availability: Availability
    private(set) var runs: [LiveRun] = []
    /// Ended runs whose action has not come back; they keep the slot.
    private(set) var orphans: Set<RunID> = []
    private(set) var period: BusyPeriod?
    /// The outcome on display, and until when; `nil` = until something else happens.
    private(set) var shown: EndedRun?
    private(set) var shownUntil: Instant?
    private(set) var last: EndedRun?
    /// The newest run that was started, once it has ended: the only one that a retry may name.
    private(set) var newestStarted: EndedRun?
    /// Failed runs since the last success.
    private(set) var failures = 0
    private(set) var lengths = RunLengths()
    /// Accepted clicks of the last `doublePress`; connection ids are never used twice.
    private(set) var clicks: [ConnectionID: Instant] = [:]
    private(set) var isShuttingDown = false

    init(times: ButtonTimes, isCancellable: Bool, availability: Availability) {
        self.times = times
        self.isCancellable = isCancellable
        self.availability = availability
    }

    // MARK: Press and retry

    enum PressAction: Hashable {
        /// Store it; busy from now on, nothing is shown yet.
        case persist(RunRecord)
        case refuse(Refusal)
    }

    mutating func press(_ record: RunRecord, origin: Origin, by connection: ConnectionID, at now: Instant)
        -> PressAction
    {
        if let refusal = refusal(of: origin, by: connection, at: now) { return .refuse(refusal) }
        if origin == .dom { remember(clickOf: connection, at: now) }
        runs.append(LiveRun(record))
        return .persist(record)
    }

    /// The failed run that a retry names, or why it cannot be retried.
    func retriable(_ run: RunID) -> Result<EndedRun, Refusal> {
        guard runs.isEmpty, let newest = newestStarted, newest.record.run == run, newest.hasFailed else {
            return .failure(Refusal(.stale, run: runs.first?.visibleID ?? last?.record.run))
        }
        return newest.isRetryable ? .success(newest) : .failure(Refusal(.notRetryable, run: run))
    }

    private func refusal(of origin: Origin, by connection: ConnectionID, at now: Instant) -> Refusal? {
        if case .disabled = availability { return Refusal(.disabled) }
        if origin == .dom, let click = clicks[connection] {
            let left = now.duration(to: click.advanced(by: times.doublePress))
            if left > .zero { return Refusal(.doublePress, run: runs.first?.visibleID, retryAfter: left) }
        }
        if let orphan = orphans.first { return Refusal(.orphanRunning, run: orphan) }
        if let run = runs.first { return Refusal(.busy, run: run.visibleID) }
        // Who clicks while the spinner lingers has not seen the outcome yet.
        if origin == .dom, isSettling { return Refusal(.busy, run: last?.record.run) }
        return nil
    }

    private mutating func remember(clickOf connection: ConnectionID, at now: Instant) {
        clicks = clicks.filter { $0.value.advanced(by: times.doublePress) > now }
        clicks[connection] = now
    }

    enum PersistedAction: Hashable {
        case start(RunRecord)
        /// It was cancelled meanwhile: its action is never called.
        case endBeforeStart(RunRecord, RunEnd)
        case doNothing
    }

    mutating func persisted(_ run: RunID, at moment: Moment) -> PersistedAction {
        guard let index = index(of: run) else { return .doNothing }
        switch runs[index].state {
        case .accepting(cancelled: true):
            return .endBeforeStart(runs[index].record, end(index, RunEnd(.cancelled)))
        case .accepting(cancelled: false):
            start(index, at: moment)
            return .start(runs[index].record)
        case .running, .cancelling, .ending:
            return .doNothing
        }
    }

    private mutating func start(_ index: Int, at moment: Moment) {
        runs[index].state = .running
        runs[index].startedAt = moment
        runs[index].actionRuns = true
        newestStarted = nil
        if period == nil { period = BusyPeriod(start: moment.instant) }
        endHold()
        showSpinnerIfDue(at: moment.instant)
        touch()
    }

    // MARK: The end of an action, and of a run

    enum ActionEndedAction: Hashable {
        case persistEnd(RunRecord, RunEnd)
        /// The action of a run that had ended before: the slot is free again.
        case freeSlot
        case doNothing
    }

    mutating func actionEnded(_ run: RunID, with result: ActionResult) -> ActionEndedAction {
        if orphans.remove(run) != nil { return .freeSlot }
        guard let index = index(of: run), runs[index].actionRuns else { return .doNothing }
        runs[index].actionRuns = false
        switch runs[index].state {
        case .running:
            return .persistEnd(runs[index].record, end(index, result.endOfRunning))
        case .cancelling(let cause, _, _):
            return .persistEnd(runs[index].record, end(index, result.end(after: cause, timeout: times.timeout)))
        case .ending, .accepting: return .doNothing
        }
    }

    /// From here on the run waits for its end to be stored.
    private mutating func end(_ index: Int, _ end: RunEnd) -> RunEnd {
        runs[index].state = .ending(end, cancelling: runs[index].isCancelling, stuck: runs[index].isStuck)
        return end
    }

    enum EndPersistedAction: Hashable {
        case report(EndedRun)
        case doNothing
    }

    mutating func endPersisted(_ run: RunID, at moment: Moment) -> EndPersistedAction {
        guard let index = index(of: run), case .ending(let end, _, _) = runs[index].state else { return .doNothing }
        let live = runs.remove(at: index)
        if live.actionRuns { orphans.insert(run) }
        let ended = EndedRun(
            record: live.record, end: end, at: moment.wall, duration: live.elapsed(at: moment.instant))
        if live.startedAt != nil { newestStarted = ended }
        record(ended)
        endPeriodIfOver(at: moment.instant)
        touch()
        return .report(ended)
    }

    private mutating func record(_ ended: EndedRun) {
        last = ended
        period?.record(ended)
        switch ended.end.outcome {
        case .succeeded:
            failures = 0
            lengths.succeeded(after: ended.duration)
        case .failed: failures += 1
        case .cancelled, .superseded, .unknown: break
        }
    }

    // MARK: Cancel, abandon, dismiss

    enum CancelAction: Hashable {
        /// Tell the action to stop, and everybody that it was told.
        case interrupt(RunRecord)
        /// Nothing more to do: it never starts, or it is stopping already.
        case acknowledge
        /// It did not stop in time and is given up; its action keeps the slot.
        case abandon(RunRecord, RunEnd)
        case refuse(Refusal)
    }

    /// - Parameter run: the run that is meant; `nil` = the oldest.
    mutating func cancel(_ run: RunID?, at now: Instant) -> CancelAction {
        guard let index = run.map({ index(of: $0) }) ?? runs.indices.first else {
            return .refuse(Refusal(.stale, run: runs.first?.visibleID))
        }
        guard isCancellable else { return .refuse(Refusal(.notCancellable, run: runs[index].visibleID)) }
        switch runs[index].state {
        case .accepting:
            runs[index].state = .accepting(cancelled: true)
            return .acknowledge
        case .running:
            return .interrupt(interrupt(index, because: .user, at: now))
        case .cancelling(_, _, stuck: true):
            return .abandon(runs[index].record, end(index, RunEnd(.cancelled, orphaned: true)))
        case .cancelling, .ending:
            return .acknowledge
        }
    }

    private mutating func interrupt(_ index: Int, because cause: LiveRun.Cause, at now: Instant) -> RunRecord {
        runs[index].state = .cancelling(cause, since: now, stuck: false)
        touch()
        return runs[index].record
    }

    /// What stops a run that nobody cancelled.
    enum StopAction: Hashable {
        case interrupt(RunRecord)
        case persistEnd(RunRecord, RunEnd)
    }

    /// Stops every run; `givingUp` does not wait any longer for those that have not stopped.
    mutating func shutDown(givingUp: Bool, at now: Instant) -> [StopAction] {
        isShuttingDown = true
        return runs.indices.compactMap { shutDown($0, givingUp: givingUp, at: now) }
    }

    private mutating func shutDown(_ index: Int, givingUp: Bool, at now: Instant) -> StopAction? {
        switch runs[index].state {
        case .accepting:
            runs[index].state = .accepting(cancelled: true)
            return nil
        case .running:
            return .interrupt(interrupt(index, because: .shutdown, at: now))
        case .cancelling(let cause, _, let stuck):
            guard givingUp || stuck else { return nil }
            return .persistEnd(runs[index].record, end(index, .givenUp(after: cause, timeout: times.timeout)))
        case .ending:
            return nil
        }
    }

    enum DismissAction: Hashable {
        case acknowledge
        case refuse(Refusal)
    }

    mutating func dismiss(_ run: RunID) -> DismissAction {
        guard period == nil, shown?.record.run == run else {
            return .refuse(Refusal(.stale, run: (shown ?? last)?.record.run))
        }
        endHold()
        touch()
        return .acknowledge
    }

    // MARK: What comes from outside

    mutating func setAvailability(_ new: Availability) {
        guard new != availability else { return }
        availability = new
        touch()
    }

    /// Progress and notes are pushed at once, then at most every `reportInterval`; the newest always follows.
    mutating func reported(_ report: RunReport, by run: RunID, at now: Instant) {
        guard let index = index(of: run), runs[index].actionRuns, !runs[index].isEnding else { return }
        let isShown = runs[index].report == report
        runs[index].waitingReport = isShown ? nil : report
        guard !isShown else { return }
        if let due = pushDeadline(of: runs[index]), now < due { return }
        push(index, at: now)
    }

    /// At most 10 pushes a second and run.
    static let reportInterval = Duration.milliseconds(100)

    private mutating func push(_ index: Int, at now: Instant) {
        guard let report = runs[index].waitingReport else { return }
        runs[index].report = report
        runs[index].pushedAt = now
        runs[index].waitingReport = nil
        touch()
    }

    // MARK: Timers

    /// When `advance` has something to do next.
    var nextDeadline: Instant? {
        var earliest = [spinnerDeadline, settlingDeadline, shownUntil].compactMap { $0 }
        for run in runs { earliest += deadlines(of: run) }
        return earliest.min()
    }

    /// Does what is due at `now`, the display first.
    mutating func advance(to now: Instant) -> [StopAction] {
        if let due = shownUntil, due <= now {
            endHold()
            touch()
        }
        showSpinnerIfDue(at: now)
        let actions = runs.indices.compactMap { advanceRun($0, to: now) }
        endPeriodIfOver(at: now)
        return actions
    }

    private mutating func advanceRun(_ index: Int, to now: Instant) -> StopAction? {
        if let due = pushDeadline(of: runs[index]), due <= now { push(index, at: now) }
        if let due = overdueDeadline(of: runs[index]), due <= now {
            runs[index].isOverdue = true
            touch()
        }
        guard let due = stopDeadline(of: runs[index]), due <= now else { return nil }
        switch runs[index].state {
        case .running:
            return .interrupt(interrupt(index, because: .timeout, at: now))
        case .cancelling(.user, let since, _) where !isShuttingDown:
            runs[index].state = .cancelling(.user, since: since, stuck: true)
            touch()
            return nil
        case .cancelling(let cause, _, _):
            return .persistEnd(runs[index].record, end(index, .givenUp(after: cause, timeout: times.timeout)))
        case .accepting, .ending:
            return nil
        }
    }

    private func deadlines(of run: LiveRun) -> [Instant] {
        [pushDeadline(of: run), overdueDeadline(of: run), stopDeadline(of: run)].compactMap { $0 }
    }

    private func pushDeadline(of run: LiveRun) -> Instant? {
        guard run.waitingReport != nil else { return nil }
        return run.pushedAt?.advanced(by: Self.reportInterval)
    }

    private func overdueDeadline(of run: LiveRun) -> Instant? {
        guard !run.isOverdue, !run.isEnding else { return nil }
        return run.startedAt?.instant.advanced(by: lengths.overdueAfter)
    }

    private func stopDeadline(of run: LiveRun) -> Instant? {
        switch run.state {
        case .running: times.timeout.flatMap { run.startedAt?.instant.advanced(by: $0) }
        case .cancelling(_, let since, stuck: false): since.advanced(by: times.cancelGrace)
        case .cancelling(_, _, stuck: true), .accepting, .ending: nil
        }
    }

    private var spinnerDeadline: Instant? {
        guard let period, period.spinnerShownAt == nil, hasVisibleRun else { return nil }
        return times.spinnerDelay.end(from: period.start)
    }

    private var settlingDeadline: Instant? {
        guard runs.isEmpty else { return nil }
        return period?.spinnerShownAt?.advanced(by: times.minimumSpinner)
    }

    // MARK: Display

    private var hasVisibleRun: Bool { runs.contains { $0.startedAt != nil } }

    /// No run left, but the spinner has been shown too briefly to go.
    var isSettling: Bool { period != nil && !hasVisibleRun }

    var phase: Phase {
        if let period { return period.spinnerShownAt == nil ? .pending : .spinning }
        switch shown?.end.outcome {
        case .succeeded: return .success
        case .failed: return .failure
        case .unknown: return .unknown
        case .cancelled, .superseded, nil: return .idle
        }
    }

    private mutating func showSpinnerIfDue(at now: Instant) {
        guard let due = spinnerDeadline, due <= now else { return }
        period?.spinnerShownAt = now
        touch()
    }

    private mutating func endPeriodIfOver(at now: Instant) {
        guard let period, runs.isEmpty else { return }
        if period.hasOutcome, let due = settlingDeadline, due > now { return }
        self.period = nil
        show(period.verdict, at: now)
        touch()
    }

    private mutating func show(_ verdict: EndedRun?, at now: Instant) {
        let hold = verdict?.end.outcome == .succeeded ? times.successHold : holdOfFailure(verdict)
        shownUntil = hold.end(from: now)
        shown = shownUntil.map { $0 <= now } ?? false ? nil : verdict
        if shown == nil { shownUntil = nil }
    }

    /// Unknown always holds: somebody has to look.
    private func holdOfFailure(_ verdict: EndedRun?) -> Span {
        verdict?.end.outcome == .unknown ? .forever : times.failureHold
    }

    private mutating func endHold() {
        shown = nil
        shownUntil = nil
    }

    private mutating func touch() { rev += 1 }

    private func index(of run: RunID) -> Int? { runs.firstIndex { $0.id == run } }
}

/// What a button displays: the same for every client.
package enum Phase: String, Hashable, Sendable, Codable { case idle, pending, spinning, success, failure, unknown }
