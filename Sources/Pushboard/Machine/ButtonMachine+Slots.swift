/// Who may run, who waits, and who starts next.
extension ButtonMachine {
    func refusalByPolicy(of origin: Origin) -> Refusal? {
        switch rules.policy {
        case .reject:
            if let refusal = refusalByGroup { return refusal }
            if let run = runs.first { return Refusal(.busy, run: run.visibleID) }
            // Who clicks while the spinner lingers has not seen the outcome yet.
            return origin == .dom && isSettling ? Refusal(.busy, run: last?.record.run) : nil
        case .parallel(let max):
            if let refusal = refusalByGroup { return refusal }
            return runs.count >= max ? Refusal(.busy, run: runs.first?.visibleID) : nil
        case .queue(let queueing):
            guard queueing.keeping != .last, !wouldStart else { return nil }
            let ahead = runs.filter { !$0.occupiesSlot && !$0.isEnding }.count
            return ahead >= queueing.capacity ? Refusal(.queueFull, run: runs.first?.visibleID) : nil
        case .restart:
            return nil
        }
    }

    /// Whether a press that comes now would be started as soon as it is stored.
    var wouldStart: Bool {
        guard groupHolder == nil, orphans.isEmpty else { return false }
        if case .parallel(let max) = rules.policy { return runs.filter(\.occupiesSlot).count < max }
        return !runs.contains { $0.occupiesSlot || !$0.isEnding }
    }

    private var refusalByGroup: Refusal? { groupHolder.map { Refusal(.groupBusy, run: $0.run) } }

    /// Whether a press would be refused because of another button of the group, as everybody may see it.
    var blockedBy: GroupHolder? {
        guard let groupHolder, groupHolder.run != nil else { return nil }
        switch rules.policy {
        case .reject, .parallel: return groupHolder
        case .queue, .restart: return nil
        }
    }

    /// A press is stored: it starts, or waits, or makes others give way.
    mutating func persisted(_ run: RunID, at moment: Moment) -> [RunStep] {
        guard let index = index(of: run), case .accepting(let isCancelled) = runs[index].state else { return [] }
        if isCancelled { return end(index, RunEnd(.cancelled)) + startNext(at: moment) }
        let displaced = displace(for: run, at: moment)
        guard let undo = times.undo, undo > .zero else { return displaced + enter(index, at: moment) }
        return displaced + hold(index, .countdown(until: moment.instant.advanced(by: undo)))
    }

    /// Starts the run if there is room for it, else has it wait for a slot.
    mutating func enter(_ index: Int, at moment: Moment) -> [RunStep] {
        if hasRoom(for: index) { return [start(index, at: moment)] }
        return hold(index, .slot)
    }

    /// Starts the one whose turn it is. In a group that is decided over all its buttons, not here.
    mutating func startNext(at moment: Moment) -> [RunStep] { rules.group == nil ? startFirst(at: moment) : [] }

    /// Starts the first that waits for a slot, if there is room for it.
    mutating func startFirst(at moment: Moment) -> [RunStep] {
        guard !isShuttingDown, let index = firstForSlot, hasRoom(for: index) else { return [] }
        return [start(index, at: moment)]
    }

    private var firstForSlot: Int? { runs.firstIndex { $0.state == .held(.slot) } }

    /// When the first that waits for a slot was pressed, if one does.
    var firstArrival: Int? { firstForSlot.map { runs[$0].arrival } }

    /// Whether other buttons of the group have to wait for this one.
    var occupiesGroup: Bool { !orphans.isEmpty || runs.contains(where: \.occupiesSlot) }

    /// What the others of the group are told of it.
    func asHolder(_ id: ItemID) -> GroupHolder {
        GroupHolder(button: id, run: runs.first(where: \.occupiesSlot)?.visibleID ?? orphans.first)
    }

    mutating func setGroupHolder(_ holder: GroupHolder?) {
        let before = blockedBy
        groupHolder = holder
        if blockedBy != before { touch() }
    }

    /// The places of those that wait.
    var waiting: [Int] { runs.indices.filter { runs[$0].isWaiting } }

    /// The place of a waiting run among those that wait; 1 = next.
    func position(of index: Int) -> Int { waiting.filter { $0 <= index }.count }

    private func hasRoom(for index: Int) -> Bool {
        guard groupHolder == nil, orphans.isEmpty else { return false }
        let others = runs.indices.filter { $0 != index }
        if case .parallel(let max) = rules.policy { return others.filter { runs[$0].occupiesSlot }.count < max }
        return !others.contains { runs[$0].occupiesSlot || runs[$0].state == .held(.slot) && $0 < index }
    }

    /// Makes those give way that the policy says have to.
    private mutating func displace(for newcomer: RunID, at moment: Moment) -> [RunStep] {
        switch rules.policy {
        case .restart:
            let others = waiting.map { runs[$0].id } + runs.filter { $0.isActive }.map(\.id)
            return others.filter { $0 != newcomer }.flatMap { supersede($0, at: moment) }
        case .queue(let queueing) where queueing.keeping == .last:
            return waiting.map { runs[$0].id }.flatMap { supersede($0, at: moment) }
        case .queue, .reject, .parallel:
            return []
        }
    }

    private mutating func supersede(_ run: RunID, at moment: Moment) -> [RunStep] {
        guard let index = index(of: run) else { return [] }
        if runs[index].isWaiting { return end(index, RunEnd(.superseded)) }
        if case .waitingRetry = runs[index].state { return end(index, RunEnd(.superseded)) }
        return stop(index, because: .restart, at: moment)
    }

    private mutating func hold(_ index: Int, _ reason: LiveRun.Hold) -> [RunStep] {
        runs[index].state = .held(reason)
        endHold()
        touch()
        return [.hold(runs[index].record, position: position(of: index))]
    }

    private mutating func start(_ index: Int, at moment: Moment) -> RunStep {
        runs[index].startedAt = moment
        newestStarted = nil
        if period == nil { period = BusyPeriod(start: moment.instant) }
        endHold()
        callAction(index, at: moment)
        showSpinnerIfDue(at: moment.instant)
        return .start(runs[index].record)
    }

    /// The next attempt of an automatic retry: the same run, and the display goes on.
    mutating func tryAgain(_ index: Int, at moment: Moment) -> RunStep {
        runs[index].record.attempt += 1
        callAction(index, at: moment)
        return .start(runs[index].record)
    }

    private mutating func callAction(_ index: Int, at moment: Moment) {
        runs[index].state = .running
        runs[index].attemptAt = moment.instant
        runs[index].actionRuns = true
        runs[index].tries += 1
        touch()
    }

    // MARK: Rate limit

    /// When the limit admits another press, if it does not now.
    var rateLimitedUntil: Instant? {
        guard let limit = rules.rateLimit, accepted.count >= limit.count, let oldest = accepted.first else {
            return nil
        }
        return oldest.advanced(by: limit.per)
    }

    mutating func countAccepted(at now: Instant) {
        guard let limit = rules.rateLimit else { return }
        accepted = accepted.filter { $0.advanced(by: limit.per) > now } + [now]
        if accepted.count >= limit.count { touch() }
    }

    /// Everybody counts down to the same end; then the item says that there is room again.
    mutating func freeRate(at now: Instant) {
        guard let limit = rules.rateLimit, let due = rateLimitedUntil, due <= now else { return }
        accepted = accepted.filter { $0.advanced(by: limit.per) > now }
        touch()
    }
}
