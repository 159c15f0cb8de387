@testable import Pushboard

/// What may happen to a run, one thing after the other.
extension MachineAuditor {
    mutating func accepted(_ record: RunRecord, by event: BoardMachine.Event, at now: Int) {
        if stage(of: record.run) != nil { breach("I4", "\(record.run) is accepted twice") }
        guard case .request(_, _, let fresh) = event, fresh == record.run else {
            return breach("I1", "\(record.run) was accepted without a press")
        }
        book.append(Page(run: record.run, button: record.button, stage: .accepted))
        acceptances += 1
        guard let key = record.key else { return }
        let scope = KeyScope(principal: record.principal, button: record.button, key: key)
        if let use = keys[scope], !use.isOver(at: now) {
            breach("key", "\(scope.key) has started \(use.run) already")
        }
        keys[scope] = KeyUse(run: record.run)
    }

    mutating func started(_ record: RunRecord, in machine: BoardMachine) {
        switch stage(of: record.run) {
        case .stored, .held: checkOrder(record, in: machine)
        case .waitingRetry(let attempt):
            if record.attempt != attempt + 1 { breach("retry", "attempt \(record.attempt) follows \(attempt)") }
        default: breach("I12", "\(record.run) starts in stage \(text(record.run))")
        }
        move(record.run, to: .started)
        starts += 1
        checkRoom(for: record, machine.buttons[record.button]!.rules)
        actions[record.run] = record.button
    }

    /// I2: at most one action, or as many as the policy says; none beside one that nobody waits for any more.
    private mutating func checkRoom(for record: RunRecord, _ rules: ButtonRules) {
        let others = actions.filter { $0.value == record.button }.keys
        var most = 1
        if case .parallel(let max) = rules.policy { most = max }
        if others.count >= most { breach("I2", "\(record.run) starts beside \(others)") }
        for orphan in others where stage(of: orphan) == nil {
            breach("I2", "\(record.run) starts while the action of \(orphan) runs")
        }
    }

    /// First come, first served, over the group if there is one. Those that could be taken back come when they may.
    private mutating func checkOrder(_ record: RunRecord, in machine: BoardMachine) {
        let rules = machine.buttons[record.button]!.rules
        if case .parallel = rules.policy { return }
        for page in book.prefix(while: { $0.run != record.run }) {
            let other = machine.buttons[page.button]!.rules
            guard page.button == record.button || rules.group != nil && other.group == rules.group else { continue }
            guard rules.times.undo == nil, other.times.undo == nil else { continue }
            switch page.stage {
            case .accepted, .stored, .held: breach("order", "\(record.run) starts before \(page.run)")
            case .started, .waitingRetry, .ending, .endStored: continue
            }
        }
    }

    mutating func ending(_ record: RunRecord, _ end: RunEnd, _ rules: ButtonRules) {
        let isStopped = end.outcome == .cancelled || end.outcome == .superseded
        switch stage(of: record.run) {
        case .stored where isStopped, .held where isStopped: endsBeforeStart += 1
        case .waitingRetry where isStopped: automaticAttempts -= 1
        case .started: break
        default: breach("I4", "\(record.run) ends \(end.outcome) in stage \(text(record.run))")
        }
        move(record.run, to: .ending(end))
        if end.outcome == .succeeded, actions[record.run] != nil {
            breach("I4", "\(record.run) succeeds before its action ends")
        }
        if end.orphaned, actions[record.run] == nil { breach("I4", "\(record.run) has no action to be orphaned") }
        if end.outcome == .superseded, !rules.policy.supersedes { breach("policy", "\(record.run) is superseded") }
    }

    mutating func reported(_ event: RunEvent, at now: Int) {
        let run = event.record.run
        let stage = self.stage(of: run)
        switch event.change {
        case .held:
            if stage != .stored, stage != .held { breach("I12", "\(run) is reported held in stage \(text(run))") }
            move(run, to: .held)
        case .started:
            switch stage {
            case .stored, .held, .waitingRetry: break
            default: breach("I12", "\(run) is reported started in stage \(text(run))")
            }
        case .cancelling:
            if stage != .started { breach("I4", "\(run) is reported cancelling in stage \(text(run))") }
        case .retrying:
            if stage != .started || actions[run] != nil { breach("retry", "\(run) is retried in \(text(run))") }
            automaticAttempts += 1
            move(run, to: .waitingRetry(attempt: event.record.attempt))
        case .ended(let end, _):
            if stage != .endStored(end) { breach("I12", "\(run) is reported ended in stage \(text(run))") }
            move(run, to: nil)
            for (scope, use) in keys where use.run == run { keys[scope]?.expires = now + 600_000 }
            views[event.record.button, default: View()].ended(event.record, end.outcome)
        }
    }

    /// I1: what is stored starts or waits in the same turn, or ends without having started.
    mutating func checkStoredRun(of event: BoardMachine.Event) {
        guard case .persisted(let record, _) = event, stage(of: record.run) == .stored else { return }
        breach("I1", "\(record.run) is stored but neither starts nor waits nor ends")
    }

    private func text(_ run: RunID) -> String { stage(of: run).map { "\($0)" } ?? "none" }
}

/// Slots: who keeps others waiting.
extension MachineAuditor {
    /// I13, and nobody waits for nothing.
    mutating func checkSlots(_ machine: BoardMachine) {
        for (id, button) in machine.buttons {
            let members = button.rules.group.flatMap { machine.groups[$0] } ?? [id]
            let busy = members.filter { isBusy($0) }
            if members.count > 1, busy.count > 1 { breach("I13", "\(busy) are busy at once") }
            checkBlocked(id, button, holder: busy.first { $0 != id })
            guard busy.isEmpty, !machine.isShuttingDown else { continue }
            let waiting = button.runs.filter { $0.state == .held(.slot) }
            let isStored = book.contains { members.contains($0.button) && $0.stage == .accepted }
            if !waiting.isEmpty, !isStored { breach("I13", "\(waiting.map(\.id)) of \(id) wait for nobody") }
        }
    }

    /// Whether something of it runs, for all to see.
    private func isBusy(_ id: ItemID) -> Bool {
        actions.values.contains(id)
            || book.contains { page in
                guard page.button == id else { return false }
                if case .waitingRetry = page.stage { return true }
                return page.stage == .started
            }
    }

    private mutating func checkBlocked(_ id: ItemID, _ button: ButtonMachine, holder: ItemID?) {
        let refuses =
            switch button.rules.policy {
            case .reject, .parallel: true
            case .queue, .restart: false
            }
        let expected = refuses ? holder : nil
        if button.blockedBy?.button != expected {
            breach(
                "group",
                "\(id) is blocked by \(String(describing: button.blockedBy)), not \(String(describing: expected))")
        }
    }
}

extension Policy {
    fileprivate var supersedes: Bool {
        switch self {
        case .restart: true
        case .queue(let queueing): queueing.keeping == .last
        case .reject, .parallel: false
        }
    }
}

extension MachineAuditor.View {
    fileprivate mutating func ended(_ record: RunRecord, _ outcome: Outcome) {
        switch outcome {
        case .succeeded:
            ends.removeAll { $0.root == record.root || $0.outcome == .succeeded }
            ends.append(.init(run: record.run, root: record.root, outcome: outcome))
        case .failed, .unknown:
            ends.append(.init(run: record.run, root: record.root, outcome: outcome))
        case .cancelled, .superseded:
            break
        }
    }

    /// Rule 3 of the phases: the newest failure of the period, else its success.
    var verdict: MachineAuditor.Ended? { ends.last { $0.outcome != .succeeded } ?? ends.last }
}
