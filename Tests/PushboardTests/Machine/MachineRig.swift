@testable import Pushboard

/// The people and programs of the tests.
enum Client: UInt64, CaseIterable {
    case ann = 1
    case ben, cat

    var connection: ConnectionID { ConnectionID(rawValue) }
    var caller: Caller {
        Caller(connection: connection, client: "c\(rawValue)", name: "\(self)", principal: "")
    }
}

extension Instant {
    static func ms(_ count: Int) -> Instant { Instant(.milliseconds(count)) }
}

/// A machine with the facts around it: the time, what the store has not confirmed, which actions run.
///
/// Every event of every test passes through `send`, where the auditor watches.
struct MachineRig {
    struct RunningAction: Hashable {
        let record: RunRecord
        var interrupted = false
    }

    private(set) var machine: BoardMachine
    private(set) var auditor = MachineAuditor()
    /// Virtual time in milliseconds.
    private(set) var now = 0
    private(set) var unstored: [RunRecord] = []
    private(set) var unstoredEnds: [RunRecord] = []
    private(set) var actions: [RunID: RunningAction] = [:]
    /// The wall clock's distance from the virtual time; only shown.
    var wallOffset: Int64 = 1_000_000
    /// For fresh ids.
    var serial = 0

    init(buttons: [String: ButtonTimes], limits: Limits = Limits()) {
        self.init(rules: buttons.mapValues { ButtonRules(times: $0) }, limits: limits)
    }

    init(rules: [String: ButtonRules], limits: Limits = Limits()) {
        let machines = rules.map { name, rules in (ItemID(name)!, ButtonMachine(rules)) }
        self.init(Dictionary(uniqueKeysWithValues: machines), limits: limits)
    }

    init(_ buttons: [ItemID: ButtonMachine], limits: Limits) {
        machine = BoardMachine(buttons: buttons, limits: limits)
    }

    var moment: Moment { Moment(instant: .ms(now), wall: Int64(now) + wallOffset) }

    func button(_ name: String) -> ButtonMachine { machine.buttons[ItemID(name)!]! }

    /// The earliest instant at which a button has something to do.
    var nextDeadline: Int? {
        machine.buttons.values.compactMap { $0.nextDeadline?.elapsed.milliseconds }.min()
    }

    /// In the order in which their runs came.
    var sortedActions: [RunningAction] {
        actions.values.sorted {
            $0.record.run.rawValue.count == $1.record.run.rawValue.count
                ? $0.record.run.rawValue < $1.record.run.rawValue
                : $0.record.run.rawValue.count < $1.record.run.rawValue.count
        }
    }

    /// Buttons that have something to do now.
    var due: [ItemID] {
        machine.buttons.filter { $0.value.nextDeadline.map { $0 <= .ms(now) } ?? false }.keys.sorted()
    }

    mutating func moveClock(to time: Int) {
        precondition(time >= now, "Time does not go back.")
        now = time
    }

    /// The buttons that events have touched since this was last asked.
    mutating func takeTouched() -> Set<ItemID> { machine.takeTouched() }

    mutating func send(_ event: BoardMachine.Event) -> [BoardMachine.Effect] {
        let before = machine
        forget(event)
        let effects = machine.handle(event, at: moment)
        auditor.check(event, effects, from: before, to: machine, at: now)
        for effect in effects { note(effect) }
        return effects
    }

    private mutating func forget(_ event: BoardMachine.Event) {
        switch event {
        case .persisted(let record, _): unstored.removeAll { $0 == record }
        case .endPersisted(let record): unstoredEnds.removeAll { $0 == record }
        case .actionEnded(let record, _, _): actions[record.run] = nil
        default: break
        }
    }

    private mutating func note(_ effect: BoardMachine.Effect) {
        switch effect {
        case .persist(let record): unstored.append(record)
        case .persistEnd(let record, _): unstoredEnds.append(record)
        case .start(let record): actions[record.run] = RunningAction(record: record)
        case .interrupt(let run): actions[run]?.interrupted = true
        case .answer, .watch, .report: break
        }
    }
}
