@testable import Pushboard

/// One thing that can happen in the small world: some clients, one button or two, a store that confirms when it likes.
enum MachineMove: Hashable {
    case press(Client, Origin, key: String?)
    case retry(Client, Origin, key: String?)
    case cancelAny(Client)
    case cancelNamed(Client)
    case dismiss(Client)
    case lookUp(Client)
    case store(durable: Bool)
    /// The newest before those that were given to the store earlier.
    case storeLast
    case storeEnd
    case act(ActionResult)
    /// One millisecond passes; only when no timer is due.
    case clock
    case timers
    case shutDown

    var startsRun: Bool {
        switch self {
        case .press, .retry: true
        default: false
        }
    }

    /// With the button it happens to.
    struct Place: Hashable {
        let move: MachineMove
        let button: String
    }

    static let alone = all.map { Place(move: $0, button: "b") }

    /// Two buttons, three clients.
    static let pair: [Place] =
        ["a", "b"].flatMap { button in
            [.press(button == "a" ? .ann : .ben, .script, key: nil), .cancelAny(.cat)].map {
                Place(move: $0, button: button)
            }
        } + common.map { Place(move: $0, button: "a") }

    private static let common: [MachineMove] = [
        .store(durable: true), .storeLast, .storeEnd, .act(.returned), .act(failure), .clock, .timers, .shutDown,
    ]

    static let failure = ActionResult.threw(RunError(code: "thrown", message: ""))

    static let all: [MachineMove] = [
        .press(.ann, .dom, key: nil), .press(.ben, .script, key: nil), .press(.ben, .script, key: "k"),
        .press(.ann, .dom, key: "k"), .retry(.ann, .dom, key: nil), .retry(.ben, .script, key: nil),
        .retry(.ben, .script, key: "k"), .cancelAny(.ben), .cancelNamed(.ann), .dismiss(.ann), .lookUp(.ann),
        .store(durable: true), .store(durable: false), .storeEnd, .act(.returned), .act(failure), .act(.cancelled),
        .clock, .timers, .shutDown,
    ]
}

extension MachineRig {
    /// The rig after the move; `nil` if it cannot happen now, or would only make a long story longer.
    func after(_ move: MachineMove, on name: String = "b") -> MachineRig? {
        let button = button(name)
        if move.startsRun, button.period?.failures.count ?? 0 >= Self.mostFailures { return nil }
        var next = self
        switch move {
        case .press(let client, let origin, let key):
            next.request(.press(PressDetails(key: key, origin: origin)), name, client)
        case .retry(let client, let origin, let key):
            guard let run = button.last?.record.run else { return nil }
            next.request(.retry(run, PressDetails(key: key, origin: origin)), name, client)
        case .cancelAny(let client):
            next.request(.cancel(nil), name, client)
        case .cancelNamed(let client):
            guard let run = button.runs.first?.id ?? button.last?.record.run else { return nil }
            next.request(.cancel(run), name, client)
        case .dismiss(let client):
            guard let run = button.last?.record.run else { return nil }
            next.request(.dismiss(run), name, client)
        case .lookUp(let client):
            next.request(.lookup(key: "k"), name, client)
        case .store(let durable):
            guard let record = unstored.first else { return nil }
            _ = next.send(.persisted(record, durable: durable))
        case .storeLast:
            guard unstored.count > 1, let record = unstored.last else { return nil }
            _ = next.send(.persisted(record, durable: true))
        case .storeEnd:
            guard let record = unstoredEnds.first else { return nil }
            _ = next.send(.endPersisted(record))
        case .act(let result):
            guard let action = sortedActions.first else { return nil }
            _ = next.send(.actionEnded(action.record, result, random: 0.5))
        case .clock:
            guard due.isEmpty else { return nil }
            next.moveClock(to: now + 1)
        case .timers:
            guard let button = due.first else { return nil }
            _ = next.send(.timersDue(button))
        case .shutDown:
            _ = next.send(.shutDown)
        }
        return next
    }

    /// Scripts can fail for ever within one busy period; the exploration follows them so far.
    static let mostFailures = 2

    /// Sends a request under ids that nobody has used.
    private mutating func request(_ verb: Request.Verb, _ button: String, _ client: Client) {
        serial += 1
        let request = Request(id: .integer(Int64(serial)), button: button, verb: verb)
        _ = send(.request(request, from: client.caller, fresh: RunID("r\(serial)")))
    }

    /// Lets everything come to its end: nothing may be left unanswered, unfinished or busy (I4, I8, I11).
    func findUnfinished() -> String? {
        findUnfinished([.store(durable: true), .storeEnd, .act(.returned), .timers]) { $0.isAtRest }
    }

    /// The same where no action ever comes back, and the server stops.
    func findUnstoppable() -> String? {
        guard !actions.isEmpty || !machine.isQuiet else { return nil }
        return after(.shutDown)?.after(.shutDown)?.findUnfinished([.store(durable: true), .storeEnd, .timers]) {
            $0.machine.isQuiet && $0.auditor.isBalanced
        }
    }

    private func findUnfinished(_ possible: [MachineMove], isOver: (MachineRig) -> Bool) -> String? {
        var rig = self
        for _ in 0..<100 {
            guard let next = rig.afterFirst(of: possible) else {
                if isOver(rig) { return nil }
                rig.moveClock(to: max(rig.now + 1, rig.nextDeadline ?? 0))
                continue
            }
            rig = next
            if let violation = rig.auditor.violations.first { return violation }
        }
        return
            "I4: does not come to rest: \(rig.machine.buttons.mapValues(\.runs)), unanswered \(rig.auditor.unanswered.keys)"
    }

    /// A lazy sequence would try each move twice.
    private func afterFirst(of possible: [MachineMove]) -> MachineRig? {
        for move in possible {
            if let next = after(move) { return next }
        }
        return nil
    }

    private var isAtRest: Bool {
        auditor.isBalanced && machine.isQuiet && actions.isEmpty && nextDeadline == nil
            && machine.buttons.values.allSatisfy { $0.orphans.isEmpty && $0.groupHolder == nil }
    }

    /// I10: a timer that is not due changes nothing.
    func findStrayTimer() -> String? {
        guard due.isEmpty else { return nil }
        for id in machine.buttons.keys {
            var copy = machine
            let effects = copy.handle(.timersDue(id), at: moment)
            if !effects.isEmpty || copy.buttons != machine.buttons { return "I10: a stray timer does \(effects)" }
        }
        return nil
    }
}

/// All that can happen, breadth first, each situation once.
struct MachineExplorer {
    private(set) var depth = 0
    private(set) var transitions = 0
    /// Whether there was nothing left to explore.
    private(set) var isComplete = false
    private(set) var violation: String?
    private var numbers: [MachineStateKey: Int] = [:]
    private let moves: [MachineMove.Place]
    private var parents: [(state: Int, move: MachineMove.Place)] = []
    private var successors: [[Int32]] = []
    private var frontier: [(number: Int, rig: MachineRig)] = []

    var states: Int { parents.count }

    init(_ rig: MachineRig, moves: [MachineMove.Place] = MachineMove.alone) {
        self.moves = moves
        _ = enter(rig, from: -1, by: moves[0])
    }

    /// One level deeper, giving way to tests that wait for something. `false` if there is nothing deeper, or something is wrong.
    mutating func deepen() async -> Bool {
        let level = frontier
        frontier = []
        for (number, rig) in level {
            for move in moves {
                guard let next = rig.after(move.move, on: move.button) else { continue }
                transitions += 1
                if transitions % 64 == 0 { await Task.yield() }
                successors[number].append(Int32(enter(next, from: number, by: move)))
                if violation != nil { return false }
            }
        }
        depth += 1
        isComplete = frontier.isEmpty
        return !isComplete
    }

    private mutating func enter(_ rig: MachineRig, from parent: Int, by move: MachineMove.Place) -> Int {
        let scope = KeyScope(principal: "", button: ItemID("b")!, key: "k")
        let key = MachineStateKey(rig, keys: [scope])
        if let wrong = rig.auditor.violations.first { fail(wrong, parent, move) }
        if let number = numbers[key] { return number }
        let number = parents.count
        numbers[key] = number
        parents.append((parent, move))
        successors.append([])
        if let wrong = rig.findStrayTimer() ?? rig.findUnfinished() ?? rig.findUnstoppable() {
            fail(wrong, parent, move)
        }
        frontier.append((number, rig))
        return number
    }

    private mutating func fail(_ what: String, _ parent: Int, _ move: MachineMove.Place) {
        guard violation == nil else { return }
        var path = ["\(move.button) \(move.move)"]
        var state = parent
        while state > 0 {
            path.insert("\(parents[state].move.button) \(parents[state].move.move)", at: 0)
            state = parents[state].state
        }
        violation = "\(what)\nafter: " + path.joined(separator: "\n       ")
    }

    /// How many orders of `depth` events the explored situations stand for.
    var orders: Double {
        var counts = [Double](repeating: 0, count: states)
        counts[0] = 1
        for _ in 0..<depth {
            var next = [Double](repeating: 0, count: states)
            for (state, count) in counts.enumerated() where count > 0 {
                for successor in successors[state] { next[Int(successor)] += count }
            }
            counts = next
        }
        return counts.reduce(0, +)
    }
}
