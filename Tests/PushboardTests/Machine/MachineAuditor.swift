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
    private(set) var views: [ItemID: View] = [:]

    private var isDismissal = false
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

    private mutating func breach(_ rule: String, _ what: String) { violations.append("\(rule): \(what)") }

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
    fileprivate var verdict: MachineAuditor.Ended? { ends.last { $0.outcome != .succeeded } ?? ends.last }
}

// MARK: What is displayed

/// What a client can see of a button, apart from clocks that run.
struct Display: Hashable {
    let phase: Phase
    let settling: Bool
    let availability: Availability
    let visible: [VisibleRun]
    let shown: EndedRun?
    let last: EndedRun?
    let failures: Int
    let offersRetry: Bool

    init(_ button: ButtonMachine) {
        phase = button.phase
        settling = button.isSettling
        availability = button.availability
        visible = button.runs.filter { $0.startedAt != nil }.map(Self.visible)
        shown = button.shown
        last = button.last
        failures = button.failures
        offersRetry = button.newestStarted?.isRetryable ?? false
    }

    private static func visible(_ run: LiveRun) -> VisibleRun {
        VisibleRun(
            id: run.id, report: run.report, startedAt: run.startedAt, isCancelling: run.isCancelling,
            isStuck: run.isStuck, isOverdue: run.isOverdue)
    }
}

/// What the wire carries of a run that is shown.
struct VisibleRun: Hashable {
    let id: RunID
    let report: RunReport
    let startedAt: Moment?
    let isCancelling: Bool
    let isStuck: Bool
    let isOverdue: Bool
}

extension MachineAuditor {
    fileprivate mutating func check(_ id: ItemID, from before: ButtonMachine, to after: ButtonMachine, at now: Int) {
        let (old, new) = (Display(before), Display(after))
        if after.rev < before.rev { breach("I3", "\(id).rev falls") }
        if old != new, after.rev == before.rev { breach("I3", "\(id) changes without a new rev: \(old) → \(new)") }
        checkPhase(id, new)
        checkProgress(new)
        followDelay(id, new, button: after, at: now)
        followHold(id, to: new, button: after, at: now)
        followSpinner(id, from: old, to: new, button: after, at: now)
    }

    private mutating func checkPhase(_ id: ItemID, _ display: Display) {
        let busy = display.phase == .pending || display.phase == .spinning
        if !busy, !display.visible.isEmpty { breach("I6", "\(id) shows \(display.phase) with an active run") }
        if busy, display.visible.isEmpty, !display.settling { breach("I11", "\(id) is busy with nothing") }
        if display.settling, display.phase != .spinning { breach("I5", "\(id) settles without a spinner") }
    }

    private mutating func checkProgress(_ display: Display) {
        for run in display.visible {
            guard let fraction = run.report.progress?.fraction else { continue }
            if !(0...1).contains(fraction) { breach("I9", "\(run.id) is at \(fraction)") }
        }
    }

    /// Rule 1 of the phases: the spinner comes when the period is as old as its delay, neither sooner nor later.
    private mutating func followDelay(_ id: ItemID, _ new: Display, button: ButtonMachine, at now: Int) {
        let isBusy = new.phase == .pending || new.phase == .spinning
        let since = isBusy ? views[id]?.busySince ?? now : nil
        views[id, default: View()].busySince = since
        guard let since, case .duration(let length) = button.times.spinnerDelay else { return }
        let delay = length.milliseconds
        if new.phase == .pending, now - since > delay { breach("phase", "\(id) is still pending") }
        if new.phase == .spinning, now - since < delay { breach("phase", "\(id) spins too early") }
    }

    /// Rule 4: a success is shown for its hold, unless somebody presses or dismisses it.
    private mutating func followHold(_ id: ItemID, to new: Display, button: ButtonMachine, at now: Int) {
        let since = new.phase == .success ? views[id]?.successSince ?? now : nil
        let before = views[id]?.successSince
        views[id, default: View()].successSince = since
        guard case .duration(let length) = button.times.successHold else { return }
        let hold = length.milliseconds
        if let since, now - since > hold { breach("phase", "\(id) shows a success too long") }
        if let before, new.phase == .idle, now - before < hold, !isDismissal {
            breach("phase", "\(id) shows a success too briefly")
        }
    }

    private mutating func followSpinner(
        _ id: ItemID, from old: Display, to new: Display, button: ButtonMachine, at now: Int
    ) {
        var view = views[id, default: View()]
        defer { views[id] = view }
        let minimum = button.times.minimumSpinner.milliseconds
        if new.phase == .spinning {
            view.spinnerSince = view.spinnerSince ?? now
            if case .duration = button.times.spinnerDelay {} else { breach("phase", "\(id) never shows a spinner") }
        } else if let since = view.spinnerSince {
            if now - since < minimum, !view.ends.isEmpty { breach("I5", "\(id) shows a spinner for \(now - since) ms") }
            view.spinnerSince = nil
        }
        let empty = button.runs.isEmpty && (new.phase == .pending || new.phase == .spinning)
        view.emptySince = empty ? view.emptySince ?? now : nil
        if let since = view.emptySince, now - since > minimum { breach("I11", "\(id) stays busy") }
        if new.phase != .pending, new.phase != .spinning {
            if old.phase == .pending || old.phase == .spinning { checkVerdict(id, view.verdict, new, button.times) }
            view.ends = []
        }
    }

    /// Rule 3 of the phases, at the end of a busy period.
    private mutating func checkVerdict(_ id: ItemID, _ verdict: Ended?, _ display: Display, _ times: ButtonTimes) {
        let hold = verdict?.outcome == .succeeded ? times.successHold : times.failureHold
        let isHeld = verdict?.outcome == .unknown || hold != .duration(.zero)
        let expected: Phase =
            switch verdict?.outcome {
            case .succeeded where isHeld: .success
            case .failed where isHeld: .failure
            case .unknown: .unknown
            default: .idle
            }
        if display.phase != expected { breach("phase", "\(id) shows \(display.phase), not \(expected)") }
        if expected != .idle, display.shown?.record.run != verdict?.run {
            breach("phase", "\(id) shows the outcome of \(String(describing: display.shown?.record.run))")
        }
    }

    // MARK: Timers and keys

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
