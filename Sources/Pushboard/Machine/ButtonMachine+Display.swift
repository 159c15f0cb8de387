/// What a button shows: a projection of its runs, the clock and the last outcome.
extension ButtonMachine {
    var hasVisibleRun: Bool { runs.contains { $0.startedAt != nil } }

    /// No run left, but the spinner has been shown too briefly to go.
    var isSettling: Bool { period?.spinnerShownAt != nil && !hasVisibleRun }

    /// The places of those that everybody sees waiting, in their order.
    var shownWaiting: [Int] { runs.indices.filter { runs[$0].hold != nil } }

    /// Nothing is left of the busy period; a press that can still be taken back is no part of it.
    var isOver: Bool { runs.allSatisfy(\.isCountingDown) }

    /// Others hold the slot that those who are left wait for.
    var onlyWaits: Bool { !hasVisibleRun && runs.contains { $0.hold == .slot } }

    var phase: Phase {
        if period?.spinnerShownAt != nil { return .spinning }
        if !hasVisibleRun, !shownWaiting.isEmpty { return .held }
        if period != nil { return .pending }
        switch shown?.end.outcome {
        case .succeeded: return .success
        case .failed: return .failure
        case .unknown: return .unknown
        case .cancelled, .superseded, nil: return .idle
        }
    }

    mutating func showSpinnerIfDue(at now: Instant) {
        guard let due = spinnerDeadline, due <= now else { return }
        period?.spinnerShownAt = now
        touch()
    }

    /// Ends the busy period if nothing is left of it, or takes the spinner away while the rest only waits; not before
    /// the spinner has been shown for its time.
    mutating func settle(at now: Instant) {
        guard let period, isOver || onlyWaits else { return }
        if period.hasOutcome, let due = settlingDeadline, due > now { return }
        guard isOver else { return hideSpinner() }
        self.period = nil
        show(period.verdict, at: now)
        touch()
    }

    private mutating func hideSpinner() {
        guard period?.spinnerShownAt != nil else { return }
        period?.spinnerShownAt = nil
        touch()
    }

    private mutating func show(_ verdict: EndedRun?, at now: Instant) {
        let hold = verdict?.end.outcome == .succeeded ? times.successHold : holdOfFailure(verdict)
        shownUntil = hold.end(from: now)
        shown = shownUntil.map { $0 <= now } ?? false ? nil : verdict
        if shown == nil { shownUntil = nil }
    }

    /// Unknown always holds: somebody has to look.
    private func holdOfFailure(_ verdict: EndedRun?) -> Span {
        verdict?.end.outcome == .unknown ? .forever : times.failureHold
    }

    mutating func endHold() {
        shown = nil
        shownUntil = nil
    }

}

/// What a button displays: the same for every client.
package enum Phase: String, Hashable, Sendable, Codable {
    case idle, held, pending, spinning, success, failure, unknown
}
