@testable import Pushboard

/// A feed with its machine and time, without a board around them.
final class FeedRig {
    private(set) var machine: BoardMachine
    var feed: Feed
    let plan: BoardPlan
    /// Milliseconds.
    var now = 0
    private var runs = 0

    static let epoch = "epoch"

    init(_ buttons: [AsyncButton]) {
        plan = BoardPlan([Section("S") { for button in buttons { button } }])
        precondition(plan.problems.isEmpty, "\(plan.problems)")
        machine = BoardMachine(
            buttons: plan.buttons.mapValues {
                ButtonMachine(times: $0.times, isCancellable: $0.isCancellable, availability: $0.availability)
            }, limits: Limits())
        feed = Feed(plan: plan, title: "T", language: "en", epoch: Self.epoch)
    }

    /// `count` buttons `b0`, `b1`, … whose items have about `bytes` bytes more than they need.
    convenience init(count: Int, bytes: Int = 0) {
        self.init(
            (0..<count).map { AsyncButton("b\($0)") { (_: Run) in }.description(String(repeating: "x", count: bytes)) })
    }

    var moment: Moment { Moment(instant: .ms(now), wall: Int64(now)) }

    static func id(_ index: Int) -> ItemID { ItemID("b\(index)")! }

    /// Something about the button changes that tells no time.
    func change(_ index: Int, to reason: String) {
        _ = machine.handle(.setAvailability(Self.id(index), .disabled(because: reason)), at: moment)
    }

    /// Every event, with a store that answers at once. Gives the runs that were started.
    @discardableResult
    func send(_ event: BoardMachine.Event) -> [RunRecord] {
        var started: [RunRecord] = []
        for effect in machine.handle(event, at: moment) {
            switch effect {
            case .persist(let record): started += send(.persisted(record, durable: false))
            case .persistEnd(let record, _): started += send(.endPersisted(record))
            case .start(let record): started.append(record)
            case .answer, .watch, .interrupt, .report: break
            }
        }
        return started
    }

    @discardableResult
    func press(_ button: ItemID) -> RunRecord? {
        runs += 1
        let request = Request(id: nil, button: button.rawValue, verb: .press(PressDetails()))
        return send(.request(request, from: Client.ann.caller, fresh: RunID("r\(runs)"))).first
    }

    func end(_ record: RunRecord, _ result: ActionResult = .returned) { send(.actionEnded(record, result)) }

    /// Lets time pass; timers that are due fire.
    func advance(_ milliseconds: Int) {
        now += milliseconds
        for id in plan.order where machine.buttons[id]!.nextDeadline.map({ $0 <= .ms(now) }) ?? false {
            send(.timersDue(id))
        }
    }

    /// What changed, as `Board.flush` says it.
    func flush() -> Feed.Frame? {
        let before = feed.head
        for button in machine.takeTouched().sorted() { feed.update(button, rev: machine.buttons[button]!.rev) }
        return feed.head > before ? feed.state(after: before, machine, at: moment) : nil
    }

    func state(after sent: Int) -> Feed.Frame { feed.state(after: sent, machine, at: moment) }

    func item(_ id: ItemID) throws -> JSONValue { try JSONValue(feed.item(id, machine, at: moment)) }

    func part(of snapshot: Feed.Snapshot) -> (frame: Feed.Frame, rest: Feed.Snapshot?) {
        feed.part(of: snapshot, machine, at: moment)
    }

    /// All parts; `between` may change the board after each.
    func parts(
        of snapshot: Feed.Snapshot, between: (FeedRig, Int) -> Void = { _, _ in }
    ) throws -> [JSONValue] {
        var parts: [JSONValue] = []
        var rest: Feed.Snapshot? = snapshot
        while let snapshot = rest {
            let (frame, next) = part(of: snapshot)
            precondition(parts.count < 10_000, "the snapshot does not end")
            parts.append(try JSONValue(frame.bytes))
            rest = next
            between(self, parts.count)
        }
        return parts
    }
}

extension JSONValue {
    /// The ids of the buttons of a snapshot's part or of a state.
    var buttonIDs: [String] { self["buttons"]?.elements.compactMap { $0["id"]?.string } ?? [] }
}
