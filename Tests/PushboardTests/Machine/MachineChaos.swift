@testable import Pushboard

/// A board on which anything happens at any time: wrong names, keys used again, stores that answer late and twice,
/// actions that do not listen, strays of runs long ended.
struct MachineChaos {
    private(set) var rig: MachineRig
    private var random: SeededGenerator
    private var order = ChangeOrder()
    private var revs: [ItemID: Int] = [:]
    /// One client that keeps up, one that is slow, one that joins late.
    private var mirrors = [MachineMirror(), MachineMirror(), MachineMirror()]
    private var history: [RunRecord] = []
    /// What was asked for last.
    private var wish: (button: String, verb: Request.Verb) = ("default", .cancel(nil))
    private(set) var failure: String?
    /// What was met on the way: reasons of refusals, ends of runs, phases.
    private(set) var met: Set<String> = []

    private let buttons: [ItemID: ButtonMachine]

    /// Buttons that refuse presses while they are busy.
    static let refusing: [ItemID: ButtonMachine] = {
        func button(_ cancellable: Bool = true, _ adjust: (inout ButtonTimes) -> Void) -> ButtonMachine {
            var times = ButtonTimes()
            adjust(&times)
            return ButtonMachine(ButtonRules(times: times, isCancellable: cancellable))
        }
        return [
            ItemID("default")!: button { _ in },
            ItemID("limited")!: button { ($0.timeout, $0.cancelGrace) = (.milliseconds(700), .milliseconds(200)) },
            ItemID("eager")!: button { ($0.spinnerDelay, $0.successHold) = (.milliseconds(0), .milliseconds(0)) },
            ItemID("silent")!: button { ($0.spinnerDelay, $0.successHold) = (.never, .forever) },
            ItemID("firm")!: button(false) { ($0.minimumSpinner, $0.failureHold) = (.zero, .seconds(5)) },
        ]
    }()

    /// Buttons whose presses wait, alone and in a group.
    static let waiting: [ItemID: ButtonMachine] = {
        var (short, undo) = (ButtonTimes(), ButtonTimes())
        (short.timeout, short.cancelGrace) = (.milliseconds(700), .milliseconds(200))
        undo.undo = .milliseconds(200)
        let rules: [String: ButtonRules] = [
            "queue": ButtonRules(times: short, policy: .queue(Queueing(keeping: .all(max: 2)))),
            "flush": ButtonRules(times: short, policy: .queue(Queueing(afterFailure: .flush))),
            "last": ButtonRules(policy: .queue(Queueing(keeping: .last)), retry: AutomaticRetry(attempts: 3)),
            "restart": ButtonRules(policy: .restart, retry: AutomaticRetry(attempts: 2)),
            "parallel": ButtonRules(times: short, policy: .parallel(max: 3)),
            "rated": ButtonRules(rateLimit: RateLimit(2, per: .seconds(3))),
            "undo": ButtonRules(times: undo, policy: .queue(Queueing(keeping: .first))),
            "g-queue": ButtonRules(times: short, policy: .queue(), group: "g"),
            "g-reject": ButtonRules(times: undo, group: "g"),
            "g-restart": ButtonRules(policy: .restart, group: "g"),
            "g-parallel": ButtonRules(times: short, policy: .parallel(max: 2), group: "g"),
        ]
        return Dictionary(uniqueKeysWithValues: rules.map { (ItemID($0)!, ButtonMachine($1)) })
    }()

    init(seed: UInt64, buttons: [ItemID: ButtonMachine]) {
        self.buttons = buttons
        random = SeededGenerator(seed: seed)
        var limits = Limits()
        limits.keys = 12
        limits.refusalsPerButton = 8
        limits.waitersPerRun = 2
        rig = MachineRig(buttons, limits: limits)
        for id in buttons.keys.sorted() {
            revs[id] = 1
            order.touch(id)
        }
    }

    /// Gives way to tests that wait for something.
    mutating func run(steps: Int) async {
        for step in 0..<steps {
            if step % 64 == 0 { await Task.yield() }
            takeStep()
            flush()
            if step == steps / 2 { mirrors[2].catchUp(order, rig.machine) }
            guard failure == nil else {
                failure = "step \(step): \(failure ?? "")"
                return
            }
        }
        comeToRest(orphansIncluded: true)
        if Bool.random(using: &random) { shutDown() }
    }

    // MARK: Steps

    private mutating func takeStep() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<36: request()
        case 36..<50: confirm()
        case 50..<54: endAction()
        case 54..<60: report()
        case 60..<62: setAvailability()
        case 62..<66: stray()
        default: passTime()
        }
    }

    private mutating func request() {
        // Clients that hear nothing ask again.
        if Int.random(in: 0..<3, using: &random) > 0 {
            let name = Int.random(in: 0..<50, using: &random) == 0 ? "nowhere" : anyButton().rawValue
            wish = (name, anyVerb())
        }
        let client = Client.allCases.randomElement(using: &random)!
        rig.serial += 1
        let request = Request(id: .integer(Int64(rig.serial)), button: wish.button, verb: wish.verb)
        send(.request(request, from: client.caller, fresh: RunID("r\(rig.serial)")))
    }

    private mutating func anyVerb() -> Request.Verb {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5: .press(details())
        case 5..<7: .retry(anyRun(), details())
        case 7..<10: .cancel(Bool.random(using: &random) ? nil : anyRun())
        case 10: .dismiss(anyRun())
        default: .lookup(key: anyKey())
        }
    }

    private mutating func details() -> PressDetails {
        let isBad = Int.random(in: 0..<30, using: &random) == 0
        return PressDetails(
            key: Bool.random(using: &random) ? anyKey() : nil, origin: Bool.random(using: &random) ? .dom : .script,
            watch: Bool.random(using: &random),
            arguments: isBad ? Arguments(names: ["x"], fingerprint: "x") : Arguments())
    }

    /// Mostly a run that matters now, sometimes an old one or none at all.
    private mutating func anyRun() -> RunID {
        let button = rig.machine.buttons[anyButton()]!
        let current = [button.runs.first?.id, button.last?.record.run, button.shown?.record.run].compactMap { $0 }
        return switch Int.random(in: 0..<10, using: &random) {
        case 0: RunID("none")
        case 1: history.randomElement(using: &random)?.run ?? RunID("none")
        default: current.randomElement(using: &random) ?? RunID("none")
        }
    }

    private mutating func anyKey() -> String { "k\(Int.random(in: 0..<40, using: &random))" }

    private mutating func anyButton() -> ItemID { buttons.keys.sorted().randomElement(using: &random)! }

    private mutating func confirm() {
        if let record = rig.unstored.randomElement(using: &random) {
            send(.persisted(record, durable: Bool.random(using: &random)))
        }
        if let record = rig.unstoredEnds.randomElement(using: &random) { send(.endPersisted(record)) }
    }

    private mutating func endAction() {
        let running = rig.actions.values.sorted { $0.record.run.rawValue < $1.record.run.rawValue }
        guard let action = running.randomElement(using: &random) else { return }
        send(.actionEnded(action.record, anyResult(), random: .random(in: 0...1, using: &random)))
    }

    private mutating func anyResult() -> ActionResult {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: .returned
        case 2: .threw(RunError(code: "thrown", message: "No luck."))
        case 3, 4: .threw(RunError(code: "thrown", message: "Never.", retryable: false))
        default: .cancelled
        }
    }

    private mutating func report() {
        guard let record = history.suffix(12).randomElement(using: &random) else { return }
        let done = Int.random(in: 0...5, using: &random)
        send(.reported(record, RunReport(progress: .steps(completed: done, total: 4), note: "\(done)")))
    }

    private mutating func setAvailability() {
        let isEnabled = Int.random(in: 0..<3, using: &random) > 0
        send(.setAvailability(anyButton(), isEnabled ? .enabled : .disabled(because: "Closed")))
    }

    /// What comes twice, or long after its run.
    private mutating func stray() {
        guard let record = history.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !rig.unstored.contains(record): send(.persisted(record, durable: true))
        case 1 where !rig.unstoredEnds.contains(record): send(.endPersisted(record))
        case 2 where rig.actions[record.run] == nil: send(.actionEnded(record, anyResult(), random: 0))
        default: send(.timersDue(anyButton()))
        }
    }

    /// To the next deadline or not quite, seldom far; no timer is late.
    private mutating func passTime() {
        let isLong = Int.random(in: 0..<40, using: &random) == 0
        let longest = (isLong ? [40_000, 700_000] : [1, 20, 150, 400, 6_000]).randomElement(using: &random)!
        var target = rig.now + Int.random(in: 1...longest, using: &random)
        if let next = rig.nextDeadline { target = min(target, next) }
        rig.moveClock(to: max(target, rig.now))
        while failure == nil, let button = rig.due.first { send(.timersDue(button)) }
    }

    private mutating func send(_ event: BoardMachine.Event) {
        for effect in rig.send(event) { note(effect) }
        if history.count > 200 { history.removeFirst(100) }
        if let violation = rig.auditor.violations.first { failure = failure ?? "\(violation), by \(event)" }
    }

    private mutating func note(_ effect: BoardMachine.Effect) {
        switch effect {
        case .persist(let record): history.append(record)
        case .answer(let answer, _): met.insert(answer.refusal?.reason.rawValue ?? answer.result.rawValue)
        case .persistEnd(_, let end):
            met.insert(end.outcome.rawValue + (end.late ? " late" : "") + (end.orphaned ? " orphaned" : ""))
        case .start, .interrupt, .watch, .report: break
        }
    }

    // MARK: Clients

    private mutating func flush() {
        for button in rig.machine.buttons.values {
            met.insert(button.isSettling ? "settling" : button.phase.rawValue)
            if button.runs.contains(where: \.isStuck) { met.insert("stuck") }
        }
        for id in rig.takeTouched() {
            let rev = rig.machine.buttons[id]!.rev
            if revs.updateValue(rev, forKey: id) != rev { order.touch(id) }
        }
        mirrors[0].catchUp(order, rig.machine)
        if Int.random(in: 0..<20, using: &random) == 0 { mirrors[1].catchUp(order, rig.machine) }
        failure = failure ?? mirrors[0].differs(from: rig.machine)
    }

    // MARK: The end

    private mutating func comeToRest(orphansIncluded: Bool) {
        for _ in 0..<1000 where failure == nil {
            for record in rig.unstored { send(.persisted(record, durable: true)) }
            for record in rig.unstoredEnds { send(.endPersisted(record)) }
            if orphansIncluded {
                for action in rig.actions.values { send(.actionEnded(action.record, .returned, random: 0.5)) }
            }
            if let next = rig.nextDeadline { rig.moveClock(to: max(next, rig.now)) }
            while failure == nil, let button = rig.due.first { send(.timersDue(button)) }
            flush()
        }
        if failure == nil { checkRest() }
    }

    private mutating func checkRest() {
        if !rig.auditor.isBalanced || !rig.machine.isQuiet { failure = "I1, I4, I8: something is left at rest" }
        for index in mirrors.indices {
            mirrors[index].catchUp(order, rig.machine)
            failure = failure ?? mirrors[index].differs(from: rig.machine)
        }
    }

    /// Both shutdowns, with actions that never listen.
    private mutating func shutDown() {
        for id in buttons.keys.sorted() {
            send(.setAvailability(id, .enabled))
            rig.serial += 1
            let request = Request(id: .integer(Int64(rig.serial)), button: id.rawValue, verb: .press(PressDetails()))
            send(.request(request, from: Client.ben.caller, fresh: RunID("r\(rig.serial)")))
        }
        confirm()
        send(.shutDown)
        for _ in 0..<30 { takeStep() }
        send(.shutDown)
        comeToRest(orphansIncluded: false)
    }
}
