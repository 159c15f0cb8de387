@testable import Pushboard

/// What makes two situations of one button's world the same for everything that can still happen.
///
/// Runs are named in the order in which they are met, times are relative to now and cut at `horizon`, and what is only
/// shown or only counts up (revs, attempts, wall clock, failures in a row) is left out: so that situations that differ
/// in their past alone are one.
struct MachineStateKey: Hashable {
    /// Longer ago, or further ahead, than every time of the explored button.
    static let horizon = 4

    private var words: [Int16] = []

    init(_ rig: MachineRig, keys: [KeyScope]) {
        var writer = Writer(now: .ms(rig.now))
        let names = rig.machine.buttons.keys.sorted()
        for name in names { writer.put(rig.machine.buttons[name]!) }
        for scope in keys { writer.put(rig.machine, scope, at: rig.now) }
        writer.put(rig.machine.isShuttingDown)
        writer.put(rig.machine.waiters.count)
        for (run, waiting) in rig.machine.waiters.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            writer.put(run)
            for waiter in waiting {
                writer.put(Int(waiter.connection.rawValue))
                writer.put(waiter.watch)
            }
        }
        writer.put(rig.unstored.map(\.run))
        writer.put(rig.unstoredEnds.map(\.run))
        for action in rig.sortedActions {
            writer.put(action.record.run)
            writer.put(action.interrupted)
        }
        writer.put(rig.auditor, buttons: names)
        words = writer.words
    }

    /// The stored properties that `put` knows. A new one would let different situations look alike.
    static let knownFields: [String: Set<String>] = [
        "ButtonMachine": [
            "rules", "rev", "availability", "runs", "orphans", "period", "shown", "shownUntil", "last",
            "newest", "newestStarted", "failures", "lengths", "clicks", "isShuttingDown", "accepted", "groupHolder",
        ],
        "BoardMachine": [
            "touched", "buttons", "keys", "refusals", "isShuttingDown", "mostWaiters", "waiters", "arrivals", "groups",
        ],
        "LiveRun": [
            "record", "state", "startedAt", "attemptAt", "tries", "actionRuns", "isOverdue", "report", "pushedAt",
            "waitingReport", "arrival", "claimsSlot",
        ],
        "BusyPeriod": ["start", "spinnerShownAt", "failures", "success"],
    ]

    private struct Writer {
        let now: Instant
        var words: [Int16] = []
        private var names: [RunID] = []

        init(now: Instant) { self.now = now }

        mutating func put(_ value: Int) { words.append(Int16(truncatingIfNeeded: value)) }
        mutating func put(_ value: Bool) { put(value ? 1 : 0) }

        mutating func put(_ run: RunID?) {
            guard let run else { return put(-1) }
            if let known = names.firstIndex(of: run) { return put(known) }
            names.append(run)
            put(names.count - 1)
        }

        mutating func put(_ runs: [RunID]) {
            put(runs.count)
            for run in runs { put(run) }
        }

        mutating func put(_ instant: Instant?) {
            guard let instant else { return put(-99) }
            let left = instant < now ? -instant.duration(to: now).milliseconds : now.duration(to: instant).milliseconds
            put(min(horizon, max(-horizon, left)))
        }

        mutating func put(_ outcome: Outcome?) {
            switch outcome {
            case nil: put(0)
            case .succeeded: put(1)
            case .failed: put(2)
            case .cancelled: put(3)
            case .superseded: put(4)
            case .unknown: put(5)
            }
        }

        mutating func put(_ ended: EndedRun?) {
            put(ended?.record.run)
            put(ended?.record.root)
            put(ended?.end.outcome)
            put(ended?.isRetryable ?? false)
        }

        mutating func put(_ run: LiveRun) {
            put(run.id)
            put(run.record.root)
            put(run.record.key != nil)
            put(run.actionRuns)
            put(run.startedAt?.instant)
            put(run.attemptAt)
            put(run.tries)
            put(run.claimsSlot)
            switch run.state {
            case .accepting(let cancelled): put(cancelled ? 11 : 10)
            case .held(.slot): put(16)
            case .held(.countdown(let end)):
                put(17)
                put(end)
            case .running: put(12)
            case .waitingRetry(let end):
                put(18)
                put(end)
            case .cancelling(let cause, let since, let stuck):
                put(stuck ? 14 : 13)
                put(cause == .user ? 0 : cause == .timeout ? 1 : cause == .restart ? 2 : 3)
                put(since)
            case .ending(let end, let cancelling, let stuck, let hold):
                put(15)
                put(end.outcome)
                put(end.error?.retryable ?? true)
                put(end.orphaned)
                put(cancelling)
                put(stuck)
                put(hold == nil ? 0 : hold == .slot ? 1 : 2)
            }
        }

        mutating func put(_ button: ButtonMachine) {
            put(button.runs.count)
            for run in button.runs { put(run) }
            put(button.orphans.sorted { $0.rawValue < $1.rawValue })
            put(button.period != nil)
            if let period = button.period {
                put(period.start)
                put(period.spinnerShownAt)
                put(period.failures.count)
                for failure in period.failures { put(failure) }
                put(period.success)
            }
            put(button.shown)
            put(button.shownUntil)
            put(button.last)
            put(button.newest)
            put(button.newestStarted)
            for client in Client.allCases { put(button.clicks[client.connection]) }
            put(button.accepted.count)
            for instant in button.accepted { put(instant) }
            put(button.groupHolder?.run)
            put(button.groupHolder != nil)
            put(button.isShuttingDown)
            put(button.availability == .enabled)
        }

        mutating func put(_ machine: BoardMachine, _ scope: KeyScope, at now: Int) {
            put(machine.keys[scope]?.run)
            put(machine.keys[scope]?.outcome)
            put(machine.keys[scope]?.intent.verb == .press)
            var refusals = machine.refusals
            let asPress = refusals.recall(scope, Intent(verb: .press, fingerprint: ""), at: .ms(now))
            put(asPress == nil ? 0 : asPress?.reason == .keyReused ? 1 : 2)
        }

        mutating func put(_ auditor: MachineAuditor, buttons: [ItemID]) {
            put(auditor.unanswered.count)
            for page in auditor.book {
                put(page.run)
                put(page.stage.number)
            }
            put(auditor.actions.keys.sorted { $0.rawValue < $1.rawValue })
            for button in buttons { put(auditor.views[button]) }
        }

        private mutating func put(_ view: MachineAuditor.View?) {
            guard let view else { return put(-1) }
            put(view.busySince.map { Instant.ms($0) })
            put(view.successSince.map { Instant.ms($0) })
            put(view.spinnerSince.map { Instant.ms($0) })
            put(view.emptySince.map { Instant.ms($0) })
            for end in view.ends {
                put(end.run)
                put(end.root)
                put(end.outcome)
            }
        }
    }
}

extension MachineAuditor.Stage {
    fileprivate var number: Int {
        switch self {
        case .accepted: 20
        case .stored: 21
        case .held: 25
        case .waitingRetry: 26
        case .started: 22
        case .ending: 23
        case .endStored: 24
        }
    }
}
