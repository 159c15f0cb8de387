/// A run from its acceptance to its stored end.
struct LiveRun: Hashable, Sendable {
    enum Cause: Hashable, Sendable {
        case user, timeout, shutdown
        /// A newer press takes its place.
        case restart

        /// The end of a run that is stopped while no action of it runs.
        var endWithoutAction: RunEnd { RunEnd(self == .restart ? .superseded : .cancelled) }
    }

    /// What a run waits for before it is started.
    enum Hold: Hashable, Sendable {
        case slot
        /// The time in which a press can be taken back.
        case countdown(until: Instant)
    }

    enum State: Hashable, Sendable {
        /// Being stored; nothing is acknowledged, started or shown.
        case accepting(cancelled: Bool)
        case held(Hold)
        case running
        /// The last attempt failed; the next one follows by itself.
        case waitingRetry(until: Instant)
        /// Told to stop for this first cause; `stuck` once the grace is over.
        case cancelling(Cause, since: Instant, stuck: Bool)
        /// Over, and its end is being stored; until then it is shown as it was: stopping, stuck, waiting.
        case ending(RunEnd, cancelling: Bool = false, stuck: Bool = false, held: Hold? = nil)
    }

    var record: RunRecord
    var state = State.accepting(cancelled: false)
    var startedAt: Moment?
    /// When the attempt under way began.
    var attemptAt: Instant?
    /// How often the action of this run has been called.
    var tries = 0
    /// Whether it takes far longer than this button's runs do.
    var isOverdue = false
    /// Whether the action has been called and has not come back.
    var actionRuns = false
    /// The report that is shown, since when, and a newer one that waits for its turn.
    var report = RunReport()
    var pushedAt: Instant?
    var waitingReport: RunReport?

    /// Rising in the order in which presses came, over the whole board.
    let arrival: Int
    /// There was room for it when it was pressed, so others have to wait for it although it is still being stored.
    var claimsSlot: Bool

    init(_ record: RunRecord, arrival: Int = 0, claimsSlot: Bool = true) {
        self.record = record
        self.arrival = arrival
        self.claimsSlot = claimsSlot
    }

    var id: RunID { record.run }
    /// The id for others: they learn of a run when it is stored.
    var visibleID: RunID? {
        isAccepting ? nil : id
    }

    var isAccepting: Bool {
        if case .accepting = state { true } else { false }
    }

    /// Whether it has been started and has not ended.
    var isActive: Bool {
        switch state {
        case .running, .waitingRetry, .cancelling: true
        case .accepting, .held, .ending: false
        }
    }

    var isWaiting: Bool {
        if case .held = state { true } else { false }
    }

    /// What it is shown to wait for: it waits, or its end is being stored.
    var hold: Hold? {
        switch state {
        case .held(let hold): hold
        case .ending(_, _, _, let hold): hold
        case .accepting, .running, .waitingRetry, .cancelling: nil
        }
    }

    /// Shown to wait for the end of its countdown, which is no part of a busy period.
    var isCountingDown: Bool {
        if case .countdown = hold { true } else { false }
    }

    /// Whether others have to wait for it. A run gives its slot back when its action has ended, before its end is stored.
    var occupiesSlot: Bool {
        isAccepting ? claimsSlot : isActive || actionRuns
    }

    var isEnding: Bool {
        if case .ending = state { true } else { false }
    }

    var isCancelling: Bool {
        switch state {
        case .accepting, .held, .running, .waitingRetry: false
        case .cancelling: true
        case .ending(_, let cancelling, _, _): cancelling
        }
    }

    var isStuck: Bool {
        switch state {
        case .accepting, .held, .running, .waitingRetry: false
        case .cancelling(_, _, let stuck), .ending(_, _, let stuck, _): stuck
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
