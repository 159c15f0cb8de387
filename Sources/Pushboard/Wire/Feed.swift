/// The state of a board as frames: each item is encoded once for all, then joined into what each client still lacks.
package struct Feed {
    /// A message and the number up to which its receiver then has everything.
    package struct Frame: Sendable {
        package let bytes: [UInt8]
        package let seq: Int
        /// Whether this was the last of its snapshot.
        package let isLast: Bool
    }

    /// How far a client's snapshot is.
    package struct Snapshot: Hashable, Sendable {
        /// The number up to which the client has everything.
        package var sent: Int
        package let resumed: Bool
        package var isFirst = true
        /// Items that change while the snapshot is under way still belong to it, up to this number: a client that
        /// reads more slowly than the board changes must come to an end all the same.
        let limit: Int
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

    /// A snapshot for a client that has everything up to `sent`.
    func snapshot(after sent: Int, resumed: Bool) -> Snapshot {
        Snapshot(sent: sent, resumed: resumed, limit: head + revs.count)
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
        let batch = batch(after: sent, upTo: head, machine, at: moment)
        let bytes = JSON.object([
            ("type", Array("\"state\"".utf8)), ("seq", Array(String(batch.seq).utf8)),
            ("buttons", JSON.array(batch.items)), ("panels", Array("[]".utf8)), ("gone", Array("[]".utf8)),
        ])
        let frame = Frame(bytes: bytes, seq: batch.seq, isLast: batch.seq == head)
        newestState = (sent, now, frame)
        return frame
    }

    /// The next part of a snapshot. Resuming clients also get the items with a running clock again, in the first part.
    mutating func part(of progress: Snapshot, _ machine: BoardMachine, at moment: Moment) -> Frame {
        let target = min(head, progress.limit)
        let batch = batch(after: progress.sent, upTo: target, machine, at: moment)
        var items = batch.items
        if progress.resumed, progress.isFirst {
            for id in plan.order {
                guard let seq = order[id], seq <= progress.sent, machine.buttons[id]?.hasRunningClock == true else {
                    continue
                }
                items.append(item(id, machine, at: moment))
            }
        }
        let isLast = batch.seq >= target
        let bytes = JSON.object([
            ("type", Array("\"snapshot\"".utf8)), ("epoch", JSON.encode(epoch)), ("seq", Array(String(batch.seq).utf8)),
            ("board", progress.isFirst ? board : boardOfLaterParts), ("buttons", JSON.array(items)),
            ("panels", Array("[]".utf8)), ("resumed", JSON.encode(progress.resumed)), ("more", JSON.encode(!isLast)),
        ])
        return Frame(bytes: bytes, seq: batch.seq, isLast: isLast)
    }

    private mutating func batch(
        after sent: Int, upTo target: Int, _ machine: BoardMachine, at moment: Moment
    ) -> (items: [[UInt8]], seq: Int) {
        var items: [[UInt8]] = []
        var bytes = 0
        var seq = sent
        for change in order.items(after: sent) {
            guard change.seq <= target else { break }
            let item = item(change.item, machine, at: moment)
            guard items.isEmpty || bytes + item.count < Self.frameBytes - 1024 else { return (items, seq) }
            items.append(item)
            bytes += item.count + 1
            seq = change.seq
        }
        return (items, target)
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
