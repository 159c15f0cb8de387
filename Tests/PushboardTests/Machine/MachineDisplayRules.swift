@testable import Pushboard

/// What a person who watches a button may expect of it.
extension MachineAuditor {
    mutating func check(_ id: ItemID, from before: ButtonMachine, to after: ButtonMachine, at now: Int) {
        let new = Display(after)
        let old = before == after ? new : Display(before)
        if after.rev < before.rev { breach("I3", "\(id).rev falls") }
        if old != new, after.rev == before.rev {
            breach("I3", "\(id) changes without a new rev: \(old.difference(to: new))")
        }
        checkPhase(id, new)
        checkProgress(new)
        followDelay(id, new, button: after, at: now)
        followHold(id, to: new, button: after, at: now)
        followSpinner(id, from: old, to: new, button: after, at: now)
    }

    private mutating func checkPhase(_ id: ItemID, _ display: Display) {
        if !display.isBusy, !display.visible.isEmpty { breach("I6", "\(id) shows \(display.phase) with an active run") }
        // What was pending stays so while the next press is being stored.
        let isAccepting = book.contains { $0.button == id && ($0.stage == .accepted || $0.stage.isEnding) }
        if display.isBusy, display.visible.isEmpty, !display.settling, !isAccepting {
            breach("I11", "\(id) is busy with nothing")
        }
        if display.settling, display.phase != .spinning { breach("I5", "\(id) settles without a spinner") }
        if display.phase == .held, display.waiting.isEmpty { breach("phase", "\(id) shows held, and nothing waits") }
        let isQuiet = display.phase == .idle || display.phase == .success || display.phase == .failure
        if isQuiet, !display.waiting.isEmpty { breach("phase", "\(id) shows \(display.phase) with waiting runs") }
    }

    private mutating func checkProgress(_ display: Display) {
        for run in display.visible {
            guard let fraction = run.report.progress?.fraction else { continue }
            if !(0...1).contains(fraction) { breach("I9", "\(run.id) is at \(fraction)") }
        }
    }

    /// Rule 1 of the phases: the spinner comes when the period is as old as its delay, neither sooner nor later.
    private mutating func followDelay(_ id: ItemID, _ new: Display, button: ButtonMachine, at now: Int) {
        let since = new.isInPeriod ? views[id]?.busySince ?? now : nil
        views[id, default: View()].busySince = since
        guard let since, case .duration(let length) = button.times.spinnerDelay else { return }
        let delay = length.milliseconds
        if new.phase == .pending, !new.visible.isEmpty, now - since > delay {
            breach("phase", "\(id) is still pending")
        }
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
        let isOver = button.runs.allSatisfy { $0.isCountingDown } && new.isBusy
        view.emptySince = isOver ? view.emptySince ?? now : nil
        if let since = view.emptySince, now - since > minimum { breach("I11", "\(id) stays busy") }
        if !new.isInPeriod {
            if old.isInPeriod { checkVerdict(id, view.verdict, new, button.times) }
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
        // What can still be taken back goes before what was.
        let phase = display.waiting.isEmpty ? expected : .held
        if display.phase != phase { breach("phase", "\(id) shows \(display.phase), not \(phase)") }
        if expected != .idle, display.shown?.record.run != verdict?.run {
            breach("phase", "\(id) shows the outcome of \(String(describing: display.shown?.record.run))")
        }
    }
}

extension Display {
    fileprivate func difference(to other: Display) -> String {
        zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children)
            .filter { "\($0.value)" != "\($1.value)" }
            .map { "\($0.label ?? ""): \($0.value) → \($1.value)" }.joined(separator: ", ")
    }

    /// Whether it shows that something runs.
    fileprivate var isBusy: Bool { phase == .pending || phase == .spinning }

    /// Whether a busy period goes on: something runs or waits for a slot.
    fileprivate var isInPeriod: Bool { isBusy || waiting.contains { $0.hold == .slot } }
}
