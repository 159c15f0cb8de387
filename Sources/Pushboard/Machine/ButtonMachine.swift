/// One button: its runs, its busy period and what it displays.
///
/// A value: an event goes in with its moment, new state and what is to be done come out. A run is the truth; the phase
/// is a projection of it. Deadlines are computed from the state, so a timer of an ended run cannot exist (I10).
struct ButtonMachine: Hashable, Sendable {
    let rules: ButtonRules
    var times: ButtonTimes { rules.times }
    /// Rises with every change of what the button displays (I3).
    var rev = 1
    var availability: Availability
    var runs: [LiveRun] = []
    /// Ended runs whose action has not come back; they keep the slot.
    var orphans: Set<RunID> = []
    var period: BusyPeriod?
    /// The outcome on display, and until when; `nil` = until something else happens.
    var shown: EndedRun?
    var shownUntil: Instant?
    var last: EndedRun?
    /// The newest run that was started.
    var newest: RunID?
    /// The same, once it has ended: the only one that a retry may name.
    var newestStarted: EndedRun?
    /// Failed runs since the last success.
    var failures = 0
    var lengths = RunLengths()
    /// Accepted clicks of the last `doublePress`; connection ids are never used twice.
    var clicks: [ConnectionID: Instant] = [:]
    var isShuttingDown = false

    /// Accepted presses that the rate limit still counts, oldest first.
    var accepted: [Instant] = []
    /// Another button of the group that is busy.
    var groupHolder: GroupHolder?

    init(_ rules: ButtonRules, availability: Availability = .enabled) {
        self.rules = rules
        self.availability = availability
    }

    // MARK: Press and retry

    enum PressAction: Hashable {
        /// Store it; busy from now on, nothing is shown yet.
        case persist(RunRecord)
        case refuse(Refusal)
    }

    /// - Parameter arrival: rising with every press of the board.
    mutating func press(
        _ record: RunRecord, origin: Origin, by connection: ConnectionID, arrival: Int = 0, at now: Instant
    ) -> PressAction {
        if let refusal = refusal(of: origin, by: connection, at: now) { return .refuse(refusal) }
        if origin == .dom { remember(clickOf: connection, at: now) }
        countAccepted(at: now)
        runs.append(LiveRun(record, arrival: arrival, claimsSlot: wouldStart))
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
        if let free = rateLimitedUntil, free > now { return Refusal(.rateLimited, retryAfter: now.duration(to: free)) }
        if let orphan = orphans.first { return Refusal(.orphanRunning, run: orphan) }
        return refusalByPolicy(of: origin)
    }

    private mutating func remember(clickOf connection: ConnectionID, at now: Instant) {
        clicks = clicks.filter { $0.value.advanced(by: times.doublePress) > now }
        clicks[connection] = now
    }

    // MARK: What comes from outside

    mutating func setAvailability(_ new: Availability) {
        guard new != availability else { return }
        availability = new
        touch()
    }

    /// Progress and notes are pushed at once, then at most every `reportInterval`; the newest always follows.
    mutating func reported(_ report: RunReport, by record: RunRecord, at now: Instant) {
        guard let index = index(of: record.run), runs[index].actionRuns, !runs[index].isEnding else { return }
        // What an earlier attempt left running has nothing to say any more.
        guard runs[index].record.attempt == record.attempt else { return }
        let isShown = runs[index].report == report
        runs[index].waitingReport = isShown ? nil : report
        guard !isShown else { return }
        if let due = pushDeadline(of: runs[index]), now < due { return }
        push(index, at: now)
    }

    /// At most 10 pushes a second and run.
    static let reportInterval = Duration.milliseconds(100)

    mutating func push(_ index: Int, at now: Instant) {
        guard let report = runs[index].waitingReport else { return }
        runs[index].report = report
        runs[index].pushedAt = now
        runs[index].waitingReport = nil
        touch()
    }

    mutating func touch() { rev += 1 }

    func index(of run: RunID) -> Int? { runs.firstIndex { $0.id == run } }
}

/// The busy button of a group, as the others see it.
struct GroupHolder: Hashable, Sendable {
    let button: ItemID
    /// Unknown to others while it is being stored.
    let run: RunID?
}
