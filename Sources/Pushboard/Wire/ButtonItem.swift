/// A button as the wire carries it: the same for every client. Durations are counted when it is made.
struct ButtonItem: Encodable {
    struct RunItem: Encodable {
        let run: String
        let attempt: Int
        let by: String
        let client: String
        let elapsedMs: Int
        let progress: Double?
        let completed: Int?
        let total: Int?
        let note: String?
        let cancelling: Bool
        let killing = false
        let stuck: Bool
    }
    struct LastItem: Encodable {
        let run: String
        let outcome: Outcome
        let at: Int64
        let durationMs: Int
        let by: String
        let late: Bool?
    }

    let id: String
    let rev: Int
    let seq: Int
    let label: String
    let busyLabel: String?
    let description: String?
    let icon: String?
    /// The icon stands alone; the label is its accessible name.
    let iconOnly: Bool?
    let role: ButtonRole
    let size: ControlSize
    let width: ControlWidth
    let tint: String?
    let style: ButtonStyle
    let progressPlacement: ProgressPlacement
    let successStyle: SuccessStyle
    let failureStyle: FailureStyle
    let confirm: String?
    let arguments: [String] = []
    let policy = "reject"
    let timeoutMs: Int?
    let phase: Phase
    let enabled: Bool
    let disabledReason: String?
    let settling: Bool
    let overdue: Bool
    let cancellable: Bool
    let retryable: Bool
    let failures: Int
    let removed = false
    let queued = 0
    let queue: [String] = []
    let run: RunItem?
    let error: ErrorItem?
    let holdLeftMs: Int?
    let last: LastItem?
}

/// The one shape of a run's error.
struct ErrorItem: Encodable {
    let code: String
    let message: String
    let run: String
    let retryable: Bool
    let needs: [String] = []

    init(_ error: RunError, run: RunID) {
        code = error.code
        message = error.message
        self.run = run.rawValue
        retryable = error.retryable
    }
}

extension ButtonItem {
    init(_ button: AsyncButton, id: ItemID, _ machine: ButtonMachine, seq: Int, at now: Instant) {
        self.id = id.rawValue
        self.seq = seq
        rev = machine.rev
        label = button.label
        busyLabel = button.look.busyLabel
        description = button.look.description
        icon = button.look.icon?.name
        iconOnly = button.hidesLabel ? true : nil
        role = button.look.role
        size = button.look.size
        width = button.look.width
        tint = button.look.tint
        style = button.look.style
        progressPlacement = button.look.progressPlacement
        successStyle = button.look.successStyle
        failureStyle = button.look.failureStyle
        confirm = button.look.confirm
        timeoutMs = machine.times.timeout?.milliseconds
        phase = machine.phase
        disabledReason =
            if case .disabled(let reason) = machine.availability { reason.capped(atBytes: 1024) } else { nil }
        enabled = disabledReason == nil
        settling = machine.isSettling
        overdue = machine.runs.contains(where: \.isOverdue)
        cancellable = machine.isCancellable
        // A press that is still being stored is not seen: it would change the item without a new rev.
        retryable = machine.newestStarted?.isRetryable ?? false
        failures = machine.failures
        run = machine.runs.first { $0.startedAt != nil }.map { RunItem($0, at: now) }
        error = machine.shown.flatMap { shown in shown.end.error.map { ErrorItem($0, run: shown.record.run) } }
        holdLeftMs = machine.shownUntil.map { now.duration(to: $0).milliseconds }
        last = machine.last.map { LastItem($0) }
    }
}

extension ButtonItem.RunItem {
    fileprivate init(_ live: LiveRun, at now: Instant) {
        run = live.id.rawValue
        attempt = live.record.attempt
        by = live.record.by
        client = live.record.client
        elapsedMs = live.elapsed(at: now).milliseconds
        progress = live.report.progress?.fraction
        if case .steps(let done, let all) = live.report.progress {
            (completed, total) = (done, all)
        } else {
            (completed, total) = (nil, nil)
        }
        note = live.report.note
        cancelling = live.isCancelling
        stuck = live.isStuck
    }
}

extension ButtonItem.LastItem {
    fileprivate init(_ ended: EndedRun) {
        run = ended.record.run.rawValue
        outcome = ended.end.outcome
        at = ended.at
        durationMs = ended.duration.milliseconds
        by = ended.record.by
        late = ended.end.late ? true : nil
    }
}

extension ButtonMachine {
    /// Whether a time in its item goes on counting, so that an old item would tell a wrong one.
    var hasRunningClock: Bool { period != nil || shownUntil != nil }
}
