/// The state of a board as frames: each item is encoded once for all, then joined into what each client still lacks.
package struct Feed {
    /// A message and the number up to which its receiver then has everything.
    package struct Frame: Sendable {
        package let bytes: [UInt8]
        package let seq: Int
        /// Whether nothing newer is left for its receiver.
        package let isLast: Bool
    }

    /// How far a client's snapshot is. It goes through the board once, item by item in the board's order, so that each
    /// item is in it in its newest state and a client that reads more slowly than the board changes comes to an end
    /// all the same. What changes after it began follows as state.
    package struct Snapshot: Hashable, Sendable {
        /// The client has everything up to this number; 0 = nothing.
        let known: Int
        let resumed: Bool
        /// The number up to which the client has everything after the last part.
        let head: Int
        /// The place of the next item in the board's order.
        var next = 0
        var isFirst = true
    }

    private struct Encoded {
        let bytes: [UInt8]
        let at: Instant
        let seq: Int
        let isTimeless: Bool
    }

    private let plan: BoardPlan
    private let epoch: String
    private let board: [UInt8]
    private let boardOfLaterParts: [UInt8]
    private var order = ChangeOrder()
    private var revs: [ItemID: Int] = [:]
    private var items: [ItemID: Encoded] = [:]
    private var newestState: (after: Int, made: Instant, frame: Frame)?

    /// Parts of a snapshot and catching up are cut here.
    package static let frameBytes = 64 * 1024
    /// More than a message needs besides its board and items.
    private static let envelopeBytes = 512
    /// How long a frame with relative times may be used again.
    private static let freshness = Duration.milliseconds(50)

    init(plan: BoardPlan, title: String, language: String, epoch: String) {
        self.plan = plan
        self.epoch = epoch
        let page = BoardItem.Page(id: "main", title: title, sections: plan.sections)
        board = JSON.encode(BoardItem(title: title, language: language, pages: [page]))
        boardOfLaterParts = JSON.encode(BoardItem(title: title, language: language, pages: []))
        for id in plan.order { update(id, rev: 1) }
    }

    package var head: Int { order.head }

    /// A snapshot for a client that has everything up to `known`.
    func snapshot(after known: Int, resumed: Bool) -> Snapshot {
        Snapshot(known: known, resumed: resumed, head: head)
    }

    /// Gives the item the next number if it has changed.
    mutating func update(_ id: ItemID, rev: Int) {
        guard revs[id] != rev else { return }
        revs[id] = rev
        order.touch(id)
    }

    /// The next items that changed after `sent`, as many as fit.
    mutating func state(after sent: Int, _ machine: BoardMachine, at moment: Moment) -> Frame {
        let now = moment.instant
        if let newest = newestState, newest.after == sent, newest.frame.seq == head,
            newest.made.duration(to: now) <= Self.freshness
        {
            return newest.frame
        }
        let batch = batch(after: sent, machine, at: moment)
        let bytes = JSON.object([
            ("type", Array("\"state\"".utf8)), ("seq", Array(String(batch.seq).utf8)),
            ("buttons", JSON.array(batch.items)), ("panels", Array("[]".utf8)), ("gone", Array("[]".utf8)),
        ])
        let frame = Frame(bytes: bytes, seq: batch.seq, isLast: batch.seq == head)
        newestState = (sent, now, frame)
        return frame
    }

    /// The next part of a snapshot, and what is left of it; `nil` after the last.
    ///
    /// Only the last part promises that everything up to its number was sent: a client that goes away before has what
    /// it had.
    mutating func part(
        of snapshot: Snapshot, _ machine: BoardMachine, at moment: Moment
    ) -> (frame: Frame, rest: Snapshot?) {
        let board = snapshot.isFirst ? board : boardOfLaterParts
        let (items, end) = items(
            of: snapshot, bytes: Self.frameBytes - Self.envelopeBytes - board.count, machine, moment)
        var rest: Snapshot? = snapshot
        rest?.next = end
        rest?.isFirst = false
        if end == plan.order.count { rest = nil }
        let seq = rest == nil ? snapshot.head : snapshot.known
        let bytes = JSON.object([
            ("type", Array("\"snapshot\"".utf8)), ("epoch", JSON.encode(epoch)), ("seq", Array(String(seq).utf8)),
            ("board", board), ("buttons", JSON.array(items)), ("panels", Array("[]".utf8)),
            ("resumed", JSON.encode(snapshot.resumed)), ("more", JSON.encode(rest != nil)),
        ])
        return (Frame(bytes: bytes, seq: seq, isLast: seq == head), rest)
    }

    /// The items of the next part, and the place behind them. A resuming client lacks what changed since, and whatever
    /// tells a time that goes on.
    private mutating func items(
        of snapshot: Snapshot, bytes limit: Int, _ machine: BoardMachine, _ moment: Moment
    ) -> (items: [[UInt8]], end: Int) {
        var items: [[UInt8]] = []
        var bytes = 0
        for place in snapshot.next..<plan.order.count {
            let id = plan.order[place]
            guard order[id]! > snapshot.known || machine.buttons[id]!.hasRunningClock else { continue }
            let item = item(id, machine, at: moment)
            // A part without the board has to carry something; the first may be full of the board.
            let mayBeEmpty = snapshot.isFirst
            guard bytes + item.count < limit || items.isEmpty && !mayBeEmpty else { return (items, place) }
            items.append(item)
            bytes += item.count + 1
        }
        return (items, plan.order.count)
    }

    /// The next items that changed after `sent`, as many as fit.
    private mutating func batch(
        after sent: Int, _ machine: BoardMachine, at moment: Moment
    ) -> (items: [[UInt8]], seq: Int) {
        var items: [[UInt8]] = []
        var bytes = 0
        var seq = sent
        for change in order.items(after: sent) {
            let item = item(change.item, machine, at: moment)
            guard items.isEmpty || bytes + item.count < Self.frameBytes - Self.envelopeBytes else {
                return (items, seq)
            }
            items.append(item)
            bytes += item.count + 1
            seq = change.seq
        }
        return (items, head)
    }

    /// The item as the wire carries it.
    mutating func item(_ id: ItemID, _ machine: BoardMachine, at moment: Moment) -> [UInt8] {
        guard let button = plan.buttons[id], let state = machine.buttons[id], let seq = order[id] else {
            preconditionFailure("The item \(id) is not on the board.")
        }
        let now = moment.instant
        if let known = items[id], known.seq == seq, revs[id] == state.rev,
            known.isTimeless || known.at.duration(to: now) <= Self.freshness
        {
            return known.bytes
        }
        let bytes = JSON.encode(ButtonItem(button, id: id, state, seq: seq, at: now))
        if revs[id] == state.rev {
            items[id] = Encoded(bytes: bytes, at: now, seq: seq, isTimeless: !state.hasRunningClock)
        }
        return bytes
    }
}

/// The board itself on the wire: its title and what stands where.
struct BoardItem: Encodable {
    struct Page: Encodable {
        let id: String
        let title: String
        let sections: [BoardPlan.PlannedSection]
    }
    let title: String
    let language: String
    let pages: [Page]
}
