@testable import Pushboard

/// Watches a machine from outside and notes every breach of the design's invariants (I1–I6, I8–I12).
///
/// It keeps its own book of what was asked, stored, started and ended, and believes nothing that the machine says about
/// itself. Of runs that have ended it remembers nothing but counts, so that explored situations merge.
struct MachineAuditor {
    /// How far a run is, as seen from its effects.
    enum Stage: Hashable {
        case accepted, stored, started
        case ending(RunEnd)
        case endStored(RunEnd)
    }

    /// A run that ended within the busy period of its button.
    struct Ended: Hashable {
        let run: RunID
        let root: RunID
        let outcome: Outcome
    }

    /// What an accepted key started, and until when it has to be known once that has ended.
    struct KeyUse: Hashable {
        let run: RunID
        var expires: Int?

        func isOver(at now: Int) -> Bool { expires.map { $0 <= now } ?? false }
    }

    /// What a person who watches one button has seen.
    struct View: Hashable {
        var busySince: Int?
        var spinnerSince: Int?
        /// The success that is shown, since when.
        var successSince: Int?
        /// When the last visible run went, while the button is still busy.
        var emptySince: Int?
        /// Ends of this busy period: the newest success and the failures whose root has not succeeded since.
        var ends: [Ended] = []
    }

    private(set) var violations: [String] = []
    private(set) var unanswered: [RequestID: ConnectionID] = [:]
    private(set) var live: [RunID: Stage] = [:]
    private(set) var actions: [RunID: ItemID] = [:]
    private(set) var keys: [KeyScope: KeyUse] = [:]
    var views: [ItemID: View] = [:]

    private(set) var isDismissal = false
    private(set) var acceptances = 0
    private(set) var starts = 0
    private(set) var endsBeforeStart = 0

    /// I1, I4 and I8 once nothing goes on: all answered, all ended, and as many actions called as there should be.
    var isBalanced: Bool { unanswered.isEmpty && live.isEmpty && starts == acceptances - endsBeforeStart }

    mutating func check(
        _ event: BoardMachine.Event, _ effects: [BoardMachine.Effect], from before: BoardMachine,
        to after: BoardMachine,
        at now: Int
    ) {
        let known = violations.count
        isDismissal = event.isDismissal
        note(event)
        for effect in effects { check(effect, after: event, at: now) }
        checkStoredRun(of: event)
        checkRefusal(effects, before: before, after: after)
        checkWaiting()
        for (id, button) in after.buttons { check(id, from: before.buttons[id]!, to: button, at: now) }
        checkTimers(event, before: before, after: after, at: now)
        checkKeys(in: after, at: now)
        if violations.count > known { violations.append("… by \(event) at \(now) ms") }
    }

    mutating func breach(_ rule: String, _ what: String) { violations.append("\(rule): \(what)") }

    // MARK: Requests and runs

    private mutating func note(_ event: BoardMachine.Event) {
        switch event {
        case .request(let request, let caller, _):
            if let id = request.id { unanswered[id] = caller.connection }
        case .persisted(let record, _):
            if live[record.run] == .accepted { live[record.run] = .stored }
        case .endPersisted(let record):
            if case .ending(let end) = live[record.run] { live[record.run] = .endStored(end) }
        case .actionEnded(let record, _):
            actions[record.run] = nil
        case .reported, .setAvailability, .timersDue, .shutDown:
            break
        }
    }

    private mutating func check(
        _ effect: BoardMachine.Effect, after event: BoardMachine.Event, at now: Int
    ) {
        switch effect {
        case .answer(let answer, let connection): check(answer, to: connection)
        case .watch(let run, _):
            if live[run] == nil || live[run] == .accepted { breach("I12", "\(run) is watched before it is stored") }
        case .persist(let record): accepted(record, by: event, at: now)
        case .start(let record): started(record)
        case .interrupt(let run):
            if live[run] != .started { breach("I10", "\(run) is told to stop but does not run") }
        case .persistEnd(let record, let end): ending(record, end)
        case .report(let event): reported(event, at: now)
        }
    }

    private mutating func check(_ answer: Answer, to connection: ConnectionID) {
        guard let id = answer.id else { return }
        if unanswered.removeValue(forKey: id) != connection { breach("I8", "a second or stray answer to \(id)") }
        if let run = answer.run, live[run] == .accepted { breach("I12", "an answer names \(run), which is not stored") }
        if answer.outcome != nil, answer.run.map({ live[$0] != nil }) ?? true {
            breach("I12", "an answer tells an end that is not stored")
        }
        if answer.result == .accepted, answer.durable == nil, answer.run.map({ live[$0] == .stored }) ?? true {
            breach("I12", "an acceptance does not say whether it is durable")
        }
        if answer.result == .rejected, answer.refusal == nil { breach("I8", "a rejection without a reason") }
    }

    private mutating func accepted(_ record: RunRecord, by event: BoardMachine.Event, at now: Int) {
        if live[record.run] != nil { breach("I4", "\(record.run) is accepted twice") }
        guard case .request(_, _, let fresh) = event, fresh == record.run else {
            return breach("I1", "\(record.run) was accepted without a press")
        }
        live[record.run] = .accepted
        acceptances += 1
        guard let key = record.key else { return }
        let scope = KeyScope(principal: record.principal, button: record.button, key: key)
        if let use = keys[scope], !use.isOver(at: now) {
            breach("key", "\(scope.key) has started \(use.run) already")
        }
        keys[scope] = KeyUse(run: record.run)
    }

    private mutating func started(_ record: RunRecord) {
        if live[record.run] != .stored { breach("I12", "\(record.run) starts in stage \(stage(record.run))") }
        live[record.run] = .started
        starts += 1
        if let other = actions.first(where: { $0.value == record.button }) {
            breach("I2", "\(record.run) starts while the action of \(other.key) runs")
        }
        actions[record.run] = record.button
    }

    private mutating func ending(_ record: RunRecord, _ end: RunEnd) {
        switch live[record.run] {
        case .stored where end.outcome == .cancelled:
            live[record.run] = .ending(end)
            endsBeforeStart += 1
        case .started:
            live[record.run] = .ending(end)
        default: breach("I4", "\(record.run) ends in stage \(stage(record.run))")
        }
        if end.outcome == .succeeded, actions[record.run] != nil {
            breach("I4", "\(record.run) succeeds before its action ends")
        }
        if end.orphaned, actions[record.run] == nil { breach("I4", "\(record.run) has no action to be orphaned") }
    }

    private mutating func reported(_ event: RunEvent, at now: Int) {
        let run = event.record.run
        switch event.change {
        case .started:
            if live[run] != .stored { breach("I12", "\(run) is reported started in stage \(stage(run))") }
        case .cancelling:
            if live[run] != .started { breach("I4", "\(run) is reported cancelling in stage \(stage(run))") }
        case .ended(let end, _):
            if live[run] != .endStored(end) { breach("I12", "\(run) is reported ended in stage \(stage(run))") }
            live[run] = nil
            for (scope, use) in keys where use.run == run { keys[scope]?.expires = now + 600_000 }
            views[event.record.button, default: View()].ended(event.record, end.outcome)
        }
    }

    /// I1: what is stored starts in the same turn, or ends without having started.
    private mutating func checkStoredRun(of event: BoardMachine.Event) {
        guard case .persisted(let record, _) = event, live[record.run] == .stored else { return }
        breach("I1", "\(record.run) is stored but neither starts nor ends")
    }

    /// A request that is refused changes no button.
    private mutating func checkRefusal(
        _ effects: [BoardMachine.Effect], before: BoardMachine, after: BoardMachine
    ) {
        guard effects.count == 1, case .answer(let answer, _) = effects[0], answer.result == .rejected else { return }
        if before.buttons != after.buttons { breach("refusal", "it changes a button") }
    }

    /// I8: only who waits for a run to be stored may wait.
    private mutating func checkWaiting() {
        guard !unanswered.isEmpty, !live.values.contains(.accepted) else { return }
        breach("I8", "nobody will answer \(unanswered.keys)")
    }

    private func stage(_ run: RunID) -> String { live[run].map { "\($0)" } ?? "none" }
}

extension MachineAuditor {
    /// I10: a timer that is not due, or of a run that has ended, does nothing; one that was due is done with.
    fileprivate mutating func checkTimers(
        _ event: BoardMachine.Event, before: BoardMachine, after: BoardMachine, at now: Int
    ) {
        guard case .timersDue(let id) = event else { return }
        let due = before.buttons[id]!.nextDeadline.map { $0 <= .ms(now) } ?? false
        if !due, before.buttons[id] != after.buttons[id] { breach("I10", "a stale timer of \(id) changes it") }
        if let next = after.buttons[id]!.nextDeadline, next <= .ms(now) { breach("I10", "\(id) stays due") }
    }

    /// An accepted key is known until ten minutes after the end of its run.
    fileprivate mutating func checkKeys(in machine: BoardMachine, at now: Int) {
        for (scope, use) in keys {
            if use.isOver(at: now) {
                keys[scope] = nil
            } else if machine.keys[scope]?.run != use.run {
                breach("key", "\(scope.key) is forgotten too early")
            }
        }
    }
}

extension BoardMachine.Event {
    fileprivate var isDismissal: Bool {
        guard case .request(let request, _, _) = self, case .dismiss = request.verb else { return false }
        return true
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
