/// What a button shows: a projection of its runs, the clock and the last outcome.
extension ButtonMachine {
    var hasVisibleRun: Bool { runs.contains { $0.startedAt != nil } }

    /// No run left, but the spinner has been shown too briefly to go.
    var isSettling: Bool { period != nil && !hasVisibleRun && waiting.isEmpty }

    var phase: Phase {
        if !hasVisibleRun, !waiting.isEmpty { return .held }
        if let period { return period.spinnerShownAt == nil ? .pending : .spinning }
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

    mutating func endPeriodIfOver(at now: Instant) {
        guard let period, runs.allSatisfy(\.isCountingDown) else { return }
        if period.hasOutcome, let due = settlingDeadline, due > now { return }
        self.period = nil
        show(period.verdict, at: now)
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
