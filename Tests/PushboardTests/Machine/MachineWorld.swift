import Testing

@testable import Pushboard

/// A board in virtual time: requests are sent, actions follow their script, timers fire when they are due, and what
/// clients would see is written down after every turn.
///
/// At one instant completions go before timers; requests are sent between two calls of `advance(to:)`.
final class MachineWorld {
    enum Store {
        /// Confirms in the same turn.
        case memory
        /// The same, but it could not keep it.
        case failing
        /// Confirms after so many milliseconds.
        case slow(Int)
        /// Confirms when the test says so.
        case manual
    }

    var store: Store
    var action = ActionScript.returns(after: 100)
    /// What the next calls do instead, one each.
    var nextActions: [ActionScript] = []
    /// The lots that are drawn for the delay of an automatic retry: in the middle.
    var random = 0.5
    private(set) var rig: MachineRig
    private var schedule: [(time: Int, event: BoardMachine.Event)] = []
    private var waiting: [BoardMachine.Event] = []
    private var requests = 0
    private var reported = 0
    private var runs = 0
    private(set) var answers: [Int: (time: Int, answer: Answer)] = [:]
    private(set) var seen: [String: [(time: Int, text: String)]] = [:]
    private(set) var watchers: [RunID: [ConnectionID]] = [:]
    private(set) var called: [String] = []
    private(set) var revs: [Int] = [1]
    private(set) var runEvents: [(time: Int, event: RunEvent)] = []

    init(store: Store = .memory, limits: Limits = Limits(), rules: [String: ButtonRules]) {
        self.store = store
        rig = MachineRig(rules: rules, limits: limits)
    }

    convenience init(
        store: Store = .memory, buttons names: [String] = ["b"], cancellable: Bool = true, limits: Limits = Limits(),
        _ adjust: (inout ButtonTimes) -> Void = { _ in }
    ) {
        var rules = ButtonRules(isCancellable: cancellable)
        adjust(&rules.times)
        let buttons = Dictionary(uniqueKeysWithValues: names.map { ($0, rules) })
        self.init(store: store, limits: limits, rules: buttons)
    }

    /// One button that does not simply refuse while it is busy.
    convenience init(
        store: Store = .memory, _ policy: Policy, limits: Limits = Limits(),
        _ adjust: (inout ButtonRules) -> Void = { _ in }
    ) {
        var rules = ButtonRules(policy: policy)
        adjust(&rules)
        self.init(store: store, limits: limits, rules: ["b": rules])
    }

    var machine: BoardMachine { rig.machine }
    var now: Int { rig.now }

    func button(_ name: String = "b") -> ButtonMachine { rig.button(name) }

    /// Puts the wall clock back; nothing but shown times may change.
    func setWallClock(back milliseconds: Int64) { rig.wallOffset -= milliseconds }

    // MARK: Requests; each gives the number under which its answer can be read

    @discardableResult
    func press(
        _ button: String = "b", by client: Client = .ann, _ origin: Origin = .script, key: String? = nil,
        watch: Bool = true, arguments: Arguments = Arguments()
    ) -> Int {
        let details = PressDetails(key: key, origin: origin, watch: watch, arguments: arguments)
        return send(.press(details), to: button, by: client)
    }

    @discardableResult
    func retry(
        _ run: String, of button: String = "b", by client: Client = .ann, _ origin: Origin = .script,
        key: String? = nil, arguments: Arguments = Arguments()
    ) -> Int {
        let details = PressDetails(key: key, origin: origin, arguments: arguments)
        return send(.retry(RunID(run), details), to: button, by: client)
    }

    @discardableResult
    func cancel(_ run: String? = nil, of button: String = "b", by client: Client = .ann) -> Int {
        send(.cancel(run.map { RunID($0) }), to: button, by: client)
    }

    @discardableResult
    func dismiss(_ run: String, of button: String = "b", by client: Client = .ann) -> Int {
        send(.dismiss(RunID(run)), to: button, by: client)
    }

    @discardableResult
    func lookUp(_ key: String, of button: String = "b", by client: Client = .ann) -> Int {
        send(.lookup(key: key), to: button, by: client)
    }

    private func send(_ verb: Request.Verb, to button: String, by client: Client) -> Int {
        requests += 1
        let request = Request(id: .integer(Int64(requests)), button: button, verb: verb)
        turn(.request(request, from: client.caller, fresh: RunID("r\(runs + 1)")))
        return requests
    }

    // MARK: Other events

    func report(_ report: RunReport, by run: String) {
        turn(.reported(record(run), report))
    }

    func setAvailability(_ availability: Availability, of button: String = "b") {
        turn(.setAvailability(ItemID(button)!, availability))
    }

    func shutDown() { turn(.shutDown) }

    /// The store confirms what it was given so far.
    func confirm(durable: Bool = true) {
        for record in rig.unstored { turn(.persisted(record, durable: durable)) }
        for record in rig.unstoredEnds { turn(.endPersisted(record)) }
    }

    /// The store confirms this run before others that it was given earlier.
    func confirm(_ run: String) {
        for record in rig.unstored where record.run == RunID(run) { turn(.persisted(record, durable: true)) }
    }

    /// What an action says that has been left running.
    func report(_ report: RunReport, by record: RunRecord) { turn(.reported(record, report)) }

    /// Lets the action come back now, whatever its script says.
    func finish(_ run: String, _ result: ActionResult = .returned) {
        turn(.actionEnded(record(run), result, random: random))
    }

    /// A timer that fires although nothing may be due.
    func fireStrayTimer(of button: String = "b") { turn(.timersDue(ItemID(button)!)) }

    private func record(_ run: String) -> RunRecord {
        let action = rig.actions[RunID(run)]?.record
        let ended = runEvents.last { $0.event.record.run.rawValue == run }?.event.record
        guard let record = action ?? ended else { preconditionFailure("No run \(run) was ever started.") }
        return record
    }

    // MARK: Time

    /// Lets everything happen up to and including `time`.
    func advance(to time: Int) {
        while let next = nextTime, next <= time, rig.auditor.violations.isEmpty {
            rig.moveClock(to: max(next, now))
            runWhatIsDue()
        }
        rig.moveClock(to: time)
    }

    func advance(by milliseconds: Int) { advance(to: now + milliseconds) }

    private var nextTime: Int? { [schedule.map(\.time).min(), rig.nextDeadline].compactMap { $0 }.min() }

    private func runWhatIsDue() {
        if let index = schedule.indices.filter({ schedule[$0].time <= now }).min(by: isEarlier) {
            let event = schedule.remove(at: index).event
            // An action that was stopped does not come back a second time.
            if case .actionEnded(let record, _, _) = event, rig.actions[record.run]?.record != record { return }
            return turn(event)
        }
        for button in rig.due { turn(.timersDue(button)) }
    }

    private func isEarlier(_ left: Int, _ right: Int) -> Bool {
        (schedule[left].time, left) < (schedule[right].time, right)
    }

    // MARK: Turns

    /// One event with all that follows at once, then the flush.
    private func turn(_ event: BoardMachine.Event) {
        handle(event)
        flush()
        for violation in rig.auditor.violations.dropFirst(reported) { Issue.record("\(violation)") }
        reported = rig.auditor.violations.count
    }

    /// What an effect brings about at once waits until the effects before it are carried out, as on a board.
    private func handle(_ event: BoardMachine.Event) {
        waiting.append(event)
        guard waiting.count == 1 else { return }
        while let next = waiting.first {
            for effect in rig.send(next) { carryOut(effect) }
            waiting.removeFirst()
        }
    }

    private func carryOut(_ effect: BoardMachine.Effect) {
        switch effect {
        case .answer(let answer, _):
            if case .integer(let number) = answer.id { answers[Int(number)] = (now, answer) }
        case .watch(let run, let connection): watchers[run, default: []].append(connection)
        case .persist(let record):
            runs += 1
            store(.persisted(record, durable: isDurable))
        case .persistEnd(let record, _): store(.endPersisted(record))
        case .start(let record): start(record)
        case .interrupt(let run): interrupt(run)
        case .report(let event): runEvents.append((now, event))
        }
    }

    private var isDurable: Bool { if case .failing = store { false } else { true } }

    private func store(_ confirmation: BoardMachine.Event) {
        switch store {
        case .memory, .failing: handle(confirmation)
        case .slow(let delay): schedule.append((now + delay, confirmation))
        case .manual: break
        }
    }

    private func start(_ record: RunRecord) {
        called.append(record.run.rawValue)
        let script = nextActions.isEmpty ? action : nextActions.removeFirst()
        scripts[record.run] = script
        guard let after = script.after else { return }
        schedule.append((now + after, .actionEnded(record, script.result, random: random)))
    }

    private var scripts: [RunID: ActionScript] = [:]

    private func interrupt(_ run: RunID) {
        guard let running = rig.actions[run], let delay = scripts[run]?.stops else { return }
        schedule.append((now + delay, .actionEnded(running.record, .cancelled, random: random)))
    }

    private func flush() {
        for (id, button) in rig.machine.buttons {
            let text = button.isSettling ? "settling" : button.phase.rawValue
            if text != seen[id.rawValue]?.last?.text ?? "idle" { seen[id.rawValue, default: []].append((now, text)) }
        }
        if rig.machine.buttons.count == 1, let rev = rig.machine.buttons.values.first?.rev, rev != revs.last {
            revs.append(rev)
        }
    }
}
