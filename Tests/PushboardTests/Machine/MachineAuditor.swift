@testable import Pushboard

/// Watches a machine from outside and notes every breach of the design's invariants (I1–I6, I8–I13).
///
/// It keeps its own book of what was asked, stored, started and ended, and believes nothing that the machine says about
/// itself. Of runs that have ended it remembers nothing but counts, so that explored situations merge.
struct MachineAuditor {
    /// How far a run is, as seen from its effects.
    enum Stage: Hashable {
        case accepted, stored, held, started
        case waitingRetry(attempt: Int)
        case ending(RunEnd)
        case endStored(RunEnd)

        var isEnding: Bool {
            switch self {
            case .ending, .endStored: true
            case .accepted, .stored, .held, .started, .waitingRetry: false
            }
        }
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

    var violations: [String] = []
    var unanswered: [RequestID: ConnectionID] = [:]
    /// The runs that have not ended, with their buttons, in the order of their presses.
    var book: [Page] = []
    /// The actions that have been called and have not come back.
    var actions: [RunID: ItemID] = [:]
    var keys: [KeyScope: KeyUse] = [:]
    var views: [ItemID: View] = [:]

    struct Page: Hashable {
        let run: RunID
        let button: ItemID
        var stage: Stage
    }

    private(set) var isDismissal = false
    var acceptances = 0
    var starts = 0
    /// Attempts that were announced, over those that were called off.
    var automaticAttempts = 0
    var endsBeforeStart = 0

    /// I1, I4 and I8 once nothing goes on: all answered, all ended, and as many actions called as there should be.
    var isBalanced: Bool {
        unanswered.isEmpty && book.isEmpty && starts == acceptances - endsBeforeStart + automaticAttempts
    }

    func stage(of run: RunID) -> Stage? { book.first { $0.run == run }?.stage }

    mutating func move(_ run: RunID, to stage: Stage?) {
        guard let index = book.firstIndex(where: { $0.run == run }) else { return }
        if let stage { book[index].stage = stage } else { book.remove(at: index) }
    }

    mutating func check(
        _ event: BoardMachine.Event, _ effects: [BoardMachine.Effect], from before: BoardMachine,
        to after: BoardMachine, at now: Int
    ) {
        let known = violations.count
        isDismissal = event.isDismissal
        note(event)
        for effect in effects { check(effect, after: event, in: after, at: now) }
        checkStoredRun(of: event)
        checkRefusal(effects, before: before, after: after)
        checkWaiting()
        checkSlots(after)
        for (id, button) in after.buttons { check(id, from: before.buttons[id]!, to: button, at: now) }
        checkTimers(event, before: before, after: after, at: now)
        checkKeys(in: after, at: now)
        if violations.count > known { violations.append("… by \(event) at \(now) ms") }
    }

    mutating func breach(_ rule: String, _ what: String) { violations.append("\(rule): \(what)") }

    // MARK: Requests and stores

    private mutating func note(_ event: BoardMachine.Event) {
        switch event {
        case .request(let request, let caller, _):
            if let id = request.id { unanswered[id] = caller.connection }
        case .persisted(let record, _):
            if stage(of: record.run) == .accepted { move(record.run, to: .stored) }
        case .endPersisted(let record):
            if case .ending(let end) = stage(of: record.run) { move(record.run, to: .endStored(end)) }
        case .actionEnded(let record, _, _):
            actions[record.run] = nil
        case .reported, .setAvailability, .timersDue, .shutDown:
            break
        }
    }

    private mutating func check(
        _ effect: BoardMachine.Effect, after event: BoardMachine.Event, in machine: BoardMachine, at now: Int
    ) {
        switch effect {
        case .answer(let answer, let connection): check(answer, to: connection)
        case .watch(let run, _):
            if stage(of: run) == nil || stage(of: run) == .accepted {
                breach("I12", "\(run) is watched before it is stored")
            }
        case .persist(let record): accepted(record, by: event, at: now)
        case .start(let record): started(record, in: machine)
        case .interrupt(let run):
            if stage(of: run) != .started { breach("I10", "\(run) is told to stop but does not run") }
        case .persistEnd(let record, let end): ending(record, end, machine.buttons[record.button]!.rules)
        case .report(let event): reported(event, at: now)
        }
    }

    private mutating func check(_ answer: Answer, to connection: ConnectionID) {
        guard let id = answer.id else { return }
        if unanswered.removeValue(forKey: id) != connection { breach("I8", "a second or stray answer to \(id)") }
        let stage = answer.run.flatMap { self.stage(of: $0) }
        if stage == .accepted { breach("I12", "an answer names \(answer.run!), which is not stored") }
        if answer.outcome != nil, stage != nil { breach("I12", "an answer tells an end that is not stored") }
        if answer.result == .accepted || answer.result == .held, answer.durable == nil || stage != .stored {
            breach("I12", "an acceptance does not say whether it is durable")
        }
        if answer.result == .held, answer.position == nil { breach("held", "no position is told") }
        if answer.result == .rejected, answer.refusal == nil { breach("I8", "a rejection without a reason") }
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
        guard !unanswered.isEmpty, !book.contains(where: { $0.stage == .accepted }) else { return }
        breach("I8", "nobody will answer \(unanswered.keys)")
    }

    /// I10: a timer that is not due, or of a run that has ended, does nothing; one that was due is done with.
    private mutating func checkTimers(
        _ event: BoardMachine.Event, before: BoardMachine, after: BoardMachine, at now: Int
    ) {
        guard case .timersDue(let id) = event else { return }
        let due = before.buttons[id]!.nextDeadline.map { $0 <= .ms(now) } ?? false
        if !due, before.buttons[id] != after.buttons[id] { breach("I10", "a stale timer of \(id) changes it") }
        if let next = after.buttons[id]!.nextDeadline, next <= .ms(now) { breach("I10", "\(id) stays due") }
    }

    /// An accepted key is known until ten minutes after the end of its run.
    private mutating func checkKeys(in machine: BoardMachine, at now: Int) {
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
