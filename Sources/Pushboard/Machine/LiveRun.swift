/// A run from its acceptance to its stored end.
struct LiveRun: Hashable, Sendable {
    enum Cause: Hashable, Sendable { case user, timeout, shutdown }

    enum State: Hashable, Sendable {
        /// Being stored; nothing is acknowledged, started or shown.
        case accepting(cancelled: Bool)
        case running
        /// Told to stop for this first cause; `stuck` once the grace is over.
        case cancelling(Cause, since: Instant, stuck: Bool)
        /// Over, and its end is being stored; until then it is shown as it was, stopping or stuck included.
        case ending(RunEnd, cancelling: Bool, stuck: Bool)
    }

    let record: RunRecord
    var state = State.accepting(cancelled: false)
    var startedAt: Moment?
    /// Whether it takes far longer than this button's runs do.
    var isOverdue = false
    /// Whether the action has been called and has not come back.
    var actionRuns = false
    /// The report that is shown, since when, and a newer one that waits for its turn.
    var report = RunReport()
    var pushedAt: Instant?
    var waitingReport: RunReport?

    init(_ record: RunRecord) { self.record = record }

    var id: RunID { record.run }
    /// The id for others: they learn of a run when it is stored.
    var visibleID: RunID? {
        if case .accepting = state { nil } else { id }
    }

    var isEnding: Bool {
        if case .ending = state { true } else { false }
    }

    var isCancelling: Bool {
        switch state {
        case .accepting, .running: false
        case .cancelling: true
        case .ending(_, let cancelling, _): cancelling
        }
    }

    var isStuck: Bool {
        switch state {
        case .accepting, .running: false
        case .cancelling(_, _, let stuck), .ending(_, _, let stuck): stuck
        }
    }

    func elapsed(at now: Instant) -> Duration {
        startedAt.map { $0.instant.duration(to: now) } ?? .zero
    }
}

/// A run after its end, as far as the button still needs it.
struct EndedRun: Hashable, Sendable {
    let record: RunRecord
    let end: RunEnd
    /// Wall clock, milliseconds since 1970.
    let at: Int64
    let duration: Duration

    var hasFailed: Bool { end.outcome == .failed || end.outcome == .unknown }
    var isRetryable: Bool { hasFailed && end.error?.retryable ?? true }
}

/// What an action says about itself while it runs: the newest of each kind.
package struct RunReport: Hashable, Sendable {
    package enum Progress: Hashable, Sendable {
        /// Shares of the whole, 0…1.
        case fraction(Double)
        /// Steps; a total of 0 is indeterminate.
        case steps(completed: Int, total: Int)

        var fraction: Double? {
            switch self {
            case .fraction(let value): value
            case .steps(_, 0): nil
            case .steps(let completed, let total): min(1, max(0, Double(completed) / Double(total)))
            }
        }
    }

    package var progress: Progress?
    package var note: String?

    package init(progress: Progress? = nil, note: String? = nil) {
        self.progress = progress
        self.note = note
    }
}
