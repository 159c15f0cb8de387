/// Makes the items of the wire from a button and its machine.
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

        (policy, max) = machine.rules.policy.onTheWire
        group = machine.rules.group
        timeoutMs = machine.times.timeout?.milliseconds
        phase = machine.phase
        blocked = machine.blockedBy.flatMap { BlockedItem($0) }
        disabledReason = machine.availability.shownReason
        enabled = disabledReason == nil
        settling = machine.isSettling
        overdue = machine.runs.contains(where: \.isOverdue)
        cancellable = machine.rules.isCancellable
        // A press that is still being stored is not seen: it would change the item without a new rev.
        retryable = machine.newestStarted?.isRetryable ?? false
        failures = machine.failures
        queued = machine.shownWaiting.count
        queue = machine.shownWaiting.prefix(Self.shownWaiting).map { WaitingItem(machine.runs[$0], at: now) }
        run = machine.runs.first { $0.startedAt != nil }.map { RunItem($0, of: machine.rules.retry, at: now) }
        error = machine.shown.flatMap { shown in shown.end.error.map { ErrorItem($0, run: shown.record.run) } }
        holdLeftMs = machine.shownUntil.map { now.duration(to: $0).milliseconds }
        retryAfterMs = machine.shownRateLimit.map { now.duration(to: $0).milliseconds }
        last = machine.last.map { LastItem($0) }
    }
}

extension ButtonItem {
    private static var shownWaiting: Int { 20 }
}

extension ButtonItem.BlockedItem {
    /// `nil` while the run that holds the group is still being stored.
    fileprivate init?(_ holder: GroupHolder) {
        guard let run = holder.run else { return nil }
        self.init(button: holder.button.rawValue, run: run.rawValue)
    }
}

extension Availability {
    /// At most 1 KiB of the reason goes out.
    fileprivate var shownReason: String? {
        if case .disabled(let reason) = self { reason.capped(atBytes: 1024) } else { nil }
    }
}

extension Policy {
    /// Its name, and how many presses it takes where that is limited.
    fileprivate var onTheWire: (name: String, max: Int?) {
        switch self {
        case .reject: ("reject", nil)
        case .queue(let queueing):
            switch queueing.keeping {
            case .all(let max): ("queue", max)
            case .first: ("queue-first", nil)
            case .last: ("queue-last", nil)
            }
        case .restart: ("restart", nil)
        case .parallel(let max): ("parallel", max)
        }
    }
}

extension ButtonItem.WaitingItem {
    fileprivate init(_ live: LiveRun, at now: Instant) {
        run = live.id.rawValue
        by = live.record.by
        client = live.record.client
        if case .countdown(let end) = live.hold {
            (`for`, leftMs) = ("countdown", now.duration(to: end).milliseconds)
        } else {
            (`for`, leftMs) = ("slot", nil)
        }
    }
}

extension ButtonItem.RunItem {
    fileprivate init(_ live: LiveRun, of retry: AutomaticRetry, at now: Instant) {
        run = live.id.rawValue
        attempt = live.record.attempt
        of = retry.attempts > 1 ? live.record.attempt - live.tries + retry.attempts : nil
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
    var hasRunningClock: Bool {
        period != nil || shownUntil != nil || rateLimitedUntil != nil || runs.contains(where: \.isCountingDown)
    }
}
