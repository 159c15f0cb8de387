@testable import Pushboard

/// What a client can see of a button, apart from clocks that run.
struct Display: Hashable {
    let phase: Phase
    let settling: Bool
    let availability: Availability
    let visible: [VisibleRun]
    let waiting: [WaitingRun]
    let blocked: GroupHolder?
    let rateLimit: Instant?
    let shown: EndedRun?
    let last: EndedRun?
    let failures: Int
    let offersRetry: Bool

    init(_ button: ButtonMachine) {
        phase = button.phase
        settling = button.isSettling
        availability = button.availability
        visible = button.runs.filter { $0.startedAt != nil }.map(Self.visible)
        waiting = button.runs.compactMap { run in run.hold.map { WaitingRun(id: run.id, hold: $0) } }
        blocked = button.blockedBy
        rateLimit = button.shownRateLimit
        shown = button.shown
        last = button.last
        failures = button.failures
        offersRetry = button.newestStarted?.isRetryable ?? false
    }

    private static func visible(_ run: LiveRun) -> VisibleRun {
        VisibleRun(
            id: run.id, attempt: run.record.attempt, report: run.report, startedAt: run.startedAt,
            isCancelling: run.isCancelling, isStuck: run.isStuck, isOverdue: run.isOverdue)
    }
}

/// What the wire carries of a run that is shown.
struct VisibleRun: Hashable {
    let id: RunID
    let attempt: Int
    let report: RunReport
    let startedAt: Moment?
    let isCancelling: Bool
    let isStuck: Bool
    let isOverdue: Bool
}

/// What the wire carries of a run that waits.
struct WaitingRun: Hashable {
    let id: RunID
    let hold: LiveRun.Hold
}
