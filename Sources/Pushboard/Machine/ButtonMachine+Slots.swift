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
            guard queueing.keeping != .last else { return refusalWhereNewestWins }
            guard !wouldStart else { return nil }
            let ahead = runs.filter { !$0.occupiesSlot && !$0.isEnding }.count
            return ahead >= queueing.capacity ? Refusal(.queueFull, run: runs.first?.visibleID) : nil
        case .restart:
            return refusalWhereNewestWins
        }
    }

    /// Where the newest always wins, presses could still pile up before a store that does not answer.
    private var refusalWhereNewestWins: Refusal? {
        let unsettled = runs.filter { !$0.isActive }.count
        return unsettled >= Self.mostUnsettled ? Refusal(.queueFull, run: runs.first?.visibleID) : nil
    }

    /// How many presses of a button may be on their way in or out where the newest displaces the others.
    static let mostUnsettled = 16

    /// Whether a press that comes now would be started as soon as it is stored.
    var wouldStart: Bool {
        guard groupHolder == nil, orphans.isEmpty, !hasUndo else { return false }
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
        if rateLimitedUntil != nil { touch() }
        if isCancelled { return end(index, RunEnd(.cancelled)) + startNext(at: moment) }
        // A press that may still be taken back harms nobody: the others give way when its countdown is over.
        if hasUndo, let undo = times.undo {
            return hold(index, .countdown(until: moment.instant.advanced(by: undo)), at: moment.instant)
        }
        if isDisplacedAlready(index) { return end(index, RunEnd(.superseded)) + startNext(at: moment) }
        return takeTurn(index, at: moment)
    }

    /// A press counts from here on: others give way to it if the policy says so, then it starts or waits.
    mutating func takeTurn(_ index: Int, at moment: Moment) -> [RunStep] {
        displace(for: index, at: moment) + enter(index, at: moment)
    }

    private var hasUndo: Bool { times.undo.map { $0 > .zero } ?? false }

    /// Whether a later press was stored sooner and has taken its place.
    private func isDisplacedAlready(_ index: Int) -> Bool {
        let later = runs[(index + 1)...]
        return newestWins && later.contains { $0.isWaiting || $0.isActive }
    }

    private var newestWins: Bool {
        switch rules.policy {
        case .restart: true
        case .queue(let queueing): queueing.keeping == .last
        case .reject, .parallel: false
        }
    }

    /// Starts the run if there is room for it, else has it wait for a slot.
    private mutating func enter(_ index: Int, at moment: Moment) -> [RunStep] {
        if hasRoom(for: index) { return [start(index, at: moment)] }
        return hold(index, .slot, at: moment.instant)
    }

    /// Starts those whose turn it is. In a group that is decided over all its buttons, not here.
    mutating func startNext(at moment: Moment) -> [RunStep] {
        guard rules.group == nil else { return [] }
        var steps: [RunStep] = []
        while canStartFirst { steps += startFirst(at: moment) }
        return steps
    }

    /// Whether the first in line has room.
    var canStartFirst: Bool { !isShuttingDown && (firstInLine.map { hasRoom(for: $0) } ?? false) }

    /// Starts the first in line. If it is still being stored, the slot is kept for it.
    mutating func startFirst(at moment: Moment) -> [RunStep] {
        guard canStartFirst, let index = firstInLine else { return [] }
        guard runs[index].isWaiting else {
            runs[index].claimsSlot = true
            return []
        }
        return [start(index, at: moment)]
    }

    private var firstInLine: Int? { runs.indices.first { isInLine($0) } }

    /// Whether it waits for a slot, or will if it is not its turn when it is stored.
    private func isInLine(_ index: Int) -> Bool {
        switch runs[index].state {
        case .held(.slot): return true
        case .accepting:
            if case .parallel = rules.policy { return false }
            return !runs[index].claimsSlot && !hasUndo
        default: return false
        }
    }

    /// When the first in line was pressed, if there is one.
    var firstArrival: Int? { firstInLine.map { runs[$0].arrival } }

    /// Whether other buttons of the group have to wait for this one.
    var occupiesGroup: Bool { !orphans.isEmpty || runs.contains(where: \.occupiesSlot) }

    /// What the others of the group are told of it.
    func asHolder(_ id: ItemID) -> GroupHolder {
        let visible = runs.first { $0.occupiesSlot && !$0.isAccepting }
        return GroupHolder(button: id, run: visible?.id ?? orphans.first)
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
        return !others.contains { runs[$0].occupiesSlot || isInLine($0) && $0 < index }
    }

    /// Makes those that were pressed before give way, where the policy says so.
    private mutating func displace(for newcomer: Int, at moment: Moment) -> [RunStep] {
        guard newestWins else { return [] }
        let earlier = waiting.filter { $0 < newcomer }
        let active = rules.policy == .restart ? runs.indices.filter { $0 < newcomer && runs[$0].isActive } : []
        return (earlier + active).map { runs[$0].id }.flatMap { supersede($0, at: moment) }
    }

    private mutating func supersede(_ run: RunID, at moment: Moment) -> [RunStep] {
        guard let index = index(of: run) else { return [] }
        if runs[index].isWaiting { return end(index, RunEnd(.superseded)) }
        if case .waitingRetry = runs[index].state { return end(index, RunEnd(.superseded)) }
        return stop(index, because: .restart, at: moment)
    }

    private mutating func hold(_ index: Int, _ reason: LiveRun.Hold, at now: Instant) -> [RunStep] {
        runs[index].state = .held(reason)
        if reason == .slot, period == nil { period = BusyPeriod(start: now) }
        endHold()
        settle(at: now)
        touch()
        return [.hold(runs[index].record, position: position(of: index))]
    }

    private mutating func start(_ index: Int, at moment: Moment) -> RunStep {
        runs[index].startedAt = moment
        newest = runs[index].id
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
        runs[index].report = RunReport()
        runs[index].waitingReport = nil
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

    /// The end of the countdown that everybody sees. It starts when the press that began it is stored.
    var shownRateLimit: Instant? {
        runs.contains { $0.isAccepting } ? nil : rateLimitedUntil
    }

    /// When the limit admits another press, if it does not now.
    var rateLimitedUntil: Instant? {
        guard let limit = rules.rateLimit, accepted.count >= limit.count, let oldest = accepted.first else {
            return nil
        }
        return oldest.advanced(by: limit.per)
    }

    mutating func countAccepted(at now: Instant) {
        guard let limit = rules.rateLimit else { return }
        if accepted.count >= limit.count { touch() }
        accepted = accepted.filter { $0.advanced(by: limit.per) > now } + [now]
    }

    /// Everybody counts down to the same end; then the item says that there is room again.
    mutating func freeRate(at now: Instant) {
        guard let limit = rules.rateLimit, let due = rateLimitedUntil, due <= now else { return }
        accepted = accepted.filter { $0.advanced(by: limit.per) > now }
        touch()
    }
}
