/// How runs end: by their action, by being stopped, or given up.
extension ButtonMachine {
    /// The action of a run has come back. The slot is free from here on, whatever became of the run before.
    /// - Parameter random: 0…1, for the delay of an automatic retry.
    mutating func actionEnded(_ run: RunID, with result: ActionResult, random: Double, at moment: Moment) -> [RunStep] {
        if orphans.remove(run) != nil { return startNext(at: moment) }
        guard let index = index(of: run), runs[index].actionRuns else { return [] }
        runs[index].actionRuns = false
        switch runs[index].state {
        case .running:
            if let step = retryLater(index, after: result, random: random, at: moment.instant) { return [step] }
            return finish(index, result.endOfRunning, at: moment)
        case .cancelling(let cause, _, _):
            return finish(index, result.end(after: cause, timeout: times.timeout), at: moment)
        case .ending:
            return startNext(at: moment)
        case .accepting, .held, .waitingRetry:
            return []
        }
    }

    mutating func finish(_ index: Int, _ end: RunEnd, at moment: Moment) -> [RunStep] {
        let steps = self.end(index, end)
        guard end.outcome == .failed, case .queue(let queueing) = rules.policy, queueing.afterFailure == .flush else {
            return steps + startNext(at: moment)
        }
        return steps + flush()
    }

    /// Those that were pressed before the failure do not run, stored or not.
    private mutating func flush() -> [RunStep] {
        for index in runs.indices where runs[index].isAccepting { runs[index].state = .accepting(cancelled: true) }
        return waiting.flatMap { end($0, RunEnd(.cancelled)) }
    }

    private mutating func retryLater(
        _ index: Int, after result: ActionResult, random: Double, at now: Instant
    ) -> RunStep? {
        guard case .threw(let error) = result, error.retryable, runs[index].tries < rules.retry.attempts else {
            return nil
        }
        let delay = rules.retry.delay(afterAttempt: runs[index].tries, random: random)
        runs[index].state = .waitingRetry(until: now.advanced(by: delay))
        touch()
        return .retryLater(runs[index].record, error)
    }

    /// From here on the run waits for its end to be stored.
    mutating func end(_ index: Int, _ end: RunEnd) -> [RunStep] {
        let run = runs[index]
        runs[index].state = .ending(end, cancelling: run.isCancelling, stuck: run.isStuck, held: run.hold)
        return [.persistEnd(runs[index].record, end)]
    }

    enum EndPersistedAction: Hashable {
        case report(EndedRun)
        case doNothing
    }

    mutating func endPersisted(_ run: RunID, at moment: Moment) -> EndPersistedAction {
        guard let index = index(of: run), case .ending(let end, _, _, _) = runs[index].state else { return .doNothing }
        let live = runs.remove(at: index)
        if live.actionRuns { orphans.insert(run) }
        let ended = EndedRun(
            record: live.record, end: end, at: moment.wall, duration: live.elapsed(at: moment.instant))
        if run == newest { newestStarted = ended }
        record(ended)
        settle(at: moment.instant)
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
        case acknowledge([RunStep])
        case refuse(Refusal)
    }

    /// - Parameter run: the run that is meant; `nil` = the oldest that is active, else the first that waits.
    mutating func cancel(_ run: RunID?, at moment: Moment) -> CancelAction {
        guard let index = run.map({ index(of: $0) }) ?? oldest else {
            return .refuse(Refusal(.stale, run: runs.first?.visibleID))
        }
        guard rules.isCancellable else { return .refuse(Refusal(.notCancellable, run: runs[index].visibleID)) }
        return .acknowledge(stop(index, because: .user, at: moment))
    }

    private var oldest: Int? { runs.firstIndex(where: \.isActive) ?? waiting.first ?? runs.indices.first }

    /// Stops a run whatever it is doing. The first cause of a stop stays.
    mutating func stop(_ index: Int, because cause: LiveRun.Cause, at moment: Moment) -> [RunStep] {
        switch runs[index].state {
        case .accepting:
            runs[index].state = .accepting(cancelled: true)
            return []
        case .held, .waitingRetry:
            return end(index, cause.endWithoutAction) + startNext(at: moment)
        case .running:
            return [.interrupt(interrupt(index, because: cause, at: moment.instant))]
        case .cancelling(let first, _, stuck: true) where cause == .user:
            return end(index, RunEnd(first == .restart ? .superseded : .cancelled, orphaned: true))
        case .cancelling, .ending:
            return []
        }
    }

    mutating func interrupt(_ index: Int, because cause: LiveRun.Cause, at now: Instant) -> RunRecord {
        runs[index].state = .cancelling(cause, since: now, stuck: false)
        touch()
        return runs[index].record
    }

    /// Stops every run; `givingUp` does not wait any longer for those that have not stopped.
    mutating func shutDown(givingUp: Bool, at moment: Moment) -> [RunStep] {
        isShuttingDown = true
        // Those that wait go first, or the end of a run would start them.
        let order = waiting.map { runs[$0].id } + runs.filter { !$0.isWaiting }.map(\.id)
        return order.flatMap { shutDown($0, givingUp: givingUp, at: moment) }
    }

    private mutating func shutDown(_ run: RunID, givingUp: Bool, at moment: Moment) -> [RunStep] {
        guard let index = index(of: run) else { return [] }
        guard case .cancelling(let cause, _, let stuck) = runs[index].state else {
            return stop(index, because: .shutdown, at: moment)
        }
        guard givingUp || stuck else { return [] }
        return end(index, .givenUp(after: cause, timeout: times.timeout))
    }

    enum DismissAction: Hashable {
        case acknowledge
        case refuse(Refusal)
    }

    mutating func dismiss(_ run: RunID) -> DismissAction {
        guard period == nil, shownWaiting.isEmpty, shown?.record.run == run else {
            return .refuse(Refusal(.stale, run: (shown ?? last)?.record.run))
        }
        endHold()
        touch()
        return .acknowledge
    }
}
