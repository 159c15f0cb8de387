/// What happens when time has passed. Every deadline is computed from the state.
extension ButtonMachine {
    /// When `advance` has something to do next.
    var nextDeadline: Instant? {
        var earliest = [spinnerDeadline, settlingDeadline, shownUntil, rateLimitedUntil].compactMap { $0 }
        for run in runs { earliest += deadlines(of: run) }
        return earliest.min()
    }

    /// Does what is due, the display first.
    mutating func advance(at moment: Moment) -> [RunStep] {
        let now = moment.instant
        if let due = shownUntil, due <= now {
            endHold()
            touch()
        }
        showSpinnerIfDue(at: now)
        freeRate(at: now)
        var steps: [RunStep] = []
        for run in runs.map(\.id) { steps += advance(run, at: moment) }
        settle(at: now)
        return steps
    }

    private mutating func advance(_ run: RunID, at moment: Moment) -> [RunStep] {
        let now = moment.instant
        guard let index = index(of: run) else { return [] }
        if let due = pushDeadline(of: runs[index]), due <= now { push(index, at: now) }
        if let due = overdueDeadline(of: runs[index]), due <= now {
            runs[index].isOverdue = true
            touch()
        }
        guard let due = stateDeadline(of: runs[index]), due <= now else { return [] }
        return leaveState(index, at: moment)
    }

    private mutating func leaveState(_ index: Int, at moment: Moment) -> [RunStep] {
        switch runs[index].state {
        case .running:
            return [.interrupt(interrupt(index, because: .timeout, at: moment.instant))]
        case .cancelling(.user, let since, _) where !isShuttingDown,
            .cancelling(.restart, let since, _) where !isShuttingDown:
            markStuck(index, since: since)
            return []
        case .cancelling(let cause, _, _):
            return finish(index, .givenUp(after: cause, timeout: times.timeout), at: moment)
        case .held(.countdown):
            return takeTurn(index, at: moment)
        case .waitingRetry:
            return [tryAgain(index, at: moment)]
        case .accepting, .held(.slot), .ending:
            return []
        }
    }

    private mutating func markStuck(_ index: Int, since: Instant) {
        guard case .cancelling(let cause, _, _) = runs[index].state else { return }
        runs[index].state = .cancelling(cause, since: since, stuck: true)
        touch()
    }

    private func deadlines(of run: LiveRun) -> [Instant] {
        [pushDeadline(of: run), overdueDeadline(of: run), stateDeadline(of: run)].compactMap { $0 }
    }

    func pushDeadline(of run: LiveRun) -> Instant? {
        guard run.waitingReport != nil else { return nil }
        return run.pushedAt?.advanced(by: Self.reportInterval)
    }

    private func overdueDeadline(of run: LiveRun) -> Instant? {
        guard !run.isOverdue, !run.isEnding else { return nil }
        return run.startedAt?.instant.advanced(by: lengths.overdueAfter)
    }

    private func stateDeadline(of run: LiveRun) -> Instant? {
        switch run.state {
        case .running: times.timeout.flatMap { run.attemptAt?.advanced(by: $0) }
        case .cancelling(_, let since, stuck: false): since.advanced(by: times.cancelGrace)
        case .held(.countdown(let end)), .waitingRetry(let end): end
        case .held(.slot), .cancelling(_, _, stuck: true), .accepting, .ending: nil
        }
    }

    var spinnerDeadline: Instant? {
        guard let period, period.spinnerShownAt == nil, hasVisibleRun else { return nil }
        return times.spinnerDelay.end(from: period.start)
    }

    var settlingDeadline: Instant? {
        guard isOver || onlyWaits else { return nil }
        return period?.spinnerShownAt?.advanced(by: times.minimumSpinner)
    }
}
