import Testing

@testable import Pushboard

@Suite("Feed")
struct FeedTests {
    private func snapshot(_ rig: FeedRig, after seq: Int = 0, resumed: Bool = false) -> Feed.Snapshot {
        rig.feed.snapshot(after: seq, resumed: resumed)
    }

    @Test("A small board is one part with everything that a snapshot has")
    func small() throws {
        let rig = FeedRig(count: 2)
        let parts = try rig.parts(of: snapshot(rig))
        #expect(parts.count == 1)
        let part = parts[0]
        #expect(
            part.names == ["type", "epoch", "seq", "board", "buttons", "panels", "resumed", "more"])
        #expect(part["type"] == .text("snapshot") && part["epoch"] == .text("epoch") && part["seq"] == .integer(2))
        #expect(part["resumed"] == .bool(false) && part["more"] == .bool(false) && part["panels"] == .list([]))
        #expect(
            part["board"]
                == .object([
                    "title": .text("T"), "language": .text("en"),
                    "pages": .list([
                        .object([
                            "id": .text("main"), "title": .text("T"),
                            "sections": .list([
                                .object(["title": .text("S"), "items": .list([.text("b0"), .text("b1")])])
                            ]),
                        ])
                    ]),
                ]))
        #expect(part.buttonIDs == ["b0", "b1"])
    }

    @Test("An empty board has a snapshot too")
    func empty() throws {
        let rig = FeedRig([])
        let parts = try rig.parts(of: snapshot(rig))
        #expect(parts.count == 1 && parts[0]["seq"] == .integer(0) && parts[0]["more"] == .bool(false))
    }

    @Test("A state has its fields, without spaces, and only what changed")
    func state() throws {
        let rig = FeedRig(count: 3)
        rig.change(1, to: "r")
        let frame = try #require(rig.flush())
        let state = try JSONValue(frame.bytes)
        #expect(state.names == ["type", "seq", "buttons", "panels", "gone"])
        #expect(state["type"] == .text("state") && state["seq"] == .integer(4) && state["gone"] == .list([]))
        #expect(state.buttonIDs == ["b1"])
        #expect(state["buttons"]?.elements[0]["seq"] == .integer(4))
        #expect(!frame.bytes.contains(UInt8(ascii: " ")) && !frame.bytes.contains(UInt8(ascii: "\n")))
        #expect(rig.flush() == nil, "nothing changed since")
    }

    @Test("Items that change in one turn go out in one frame")
    func oneTurn() throws {
        let rig = FeedRig(count: 3)
        rig.change(2, to: "r")
        rig.change(0, to: "r")
        rig.change(2, to: "s")
        let state = try JSONValue(try #require(rig.flush()).bytes)
        #expect(state.buttonIDs == ["b0", "b2"] && state["seq"] == .integer(5))
        #expect(state["buttons"]?.elements[1]["disabledReason"] == .text("s"))
    }

    @Test("B88 A changes at 9, B at 10; who got B alone and resumes with what it has gets A")
    func resume() throws {
        let rig = FeedRig(count: 8)
        rig.change(0, to: "A")
        _ = rig.flush()
        rig.change(1, to: "B")
        _ = rig.flush()
        #expect(rig.feed.head == 10)
        // An answer showed it B (10), which moves nothing: it resumes with 8.
        let parts = try rig.parts(of: snapshot(rig, after: 8, resumed: true))
        #expect(parts.count == 1 && parts[0]["resumed"] == .bool(true) && parts[0]["seq"] == .integer(10))
        #expect(parts[0].buttonIDs == ["b0", "b1"])
        #expect(try JSONValue(rig.state(after: 8).bytes).buttonIDs == ["b0", "b1"])
        #expect(try JSONValue(rig.state(after: 9).bytes).buttonIDs == ["b1"])
        #expect(try rig.parts(of: snapshot(rig, after: 10, resumed: true))[0].buttonIDs == [])
    }

    @Test("Whoever has fallen behind gets each item once, in its newest state")
    func conflation() throws {
        let rig = FeedRig(count: 3)
        for round in 0..<500 {
            rig.change(round % 2, to: "\(round)")
            _ = rig.flush()
        }
        let state = try JSONValue(rig.state(after: 3).bytes)
        #expect(state.buttonIDs == ["b0", "b1"] && state["seq"] == .integer(503))
        #expect(state["buttons"]?.elements.map { $0["disabledReason"]?.string } == ["498", "499"])
    }

    @Test("A big board comes in parts of at most 64 KiB, each item once, the board whole in the first")
    func parts() throws {
        let rig = FeedRig(count: 2_000, bytes: 100)
        var rest: Feed.Snapshot? = snapshot(rig)
        var parts: [JSONValue] = []
        while let snapshot = rest {
            let (frame, next) = rig.part(of: snapshot)
            #expect(frame.bytes.count <= 64 * 1024)
            parts.append(try JSONValue(frame.bytes))
            rest = next
        }
        #expect(parts.count > 10)
        #expect(parts.dropLast().allSatisfy { $0["more"] == .bool(true) } && parts.last?["more"] == .bool(false))
        #expect(parts.dropLast().allSatisfy { $0["seq"] == .integer(0) } && parts.last?["seq"] == .integer(2_000))
        #expect(parts.flatMap(\.buttonIDs) == (0..<2_000).map { "b\($0)" })
        let boards = parts.map { $0["board"]?["pages"]?.elements.count }
        #expect(boards.first == 1 && boards.dropFirst().allSatisfy { $0 == 0 })
    }

    @Test("Parts are cut late: as few as the bound allows, nearly")
    func fewParts() throws {
        let rig = FeedRig(count: 500, bytes: 500)
        var sizes: [Int] = []
        var rest: Feed.Snapshot? = snapshot(rig)
        while let snapshot = rest {
            let (frame, next) = rig.part(of: snapshot)
            sizes.append(frame.bytes.count)
            rest = next
        }
        #expect(sizes.dropLast().allSatisfy { $0 > 60 * 1024 }, "\(sizes)")
    }

    @Test("Resuming into a board of running clocks keeps the bound too")
    func manyClocks() throws {
        let rig = FeedRig(count: 300, bytes: 500)
        for index in 0..<300 { _ = rig.press(FeedRig.id(index)) }
        _ = rig.flush()
        let head = rig.feed.head
        var rest: Feed.Snapshot? = snapshot(rig, after: head, resumed: true)
        var ids: [String] = []
        while let snapshot = rest {
            let (frame, next) = rig.part(of: snapshot)
            #expect(frame.bytes.count <= 64 * 1024)
            ids += try JSONValue(frame.bytes).buttonIDs
            rest = next
        }
        #expect(ids == (0..<300).map { "b\($0)" })
    }

    @Test("Who resumes gets the items with a running clock again, and they tell the time of now")
    func clocks() throws {
        let rig = FeedRig(count: 3)
        _ = rig.press(FeedRig.id(1))
        _ = rig.flush()
        rig.advance(100)
        let parts = try rig.parts(of: snapshot(rig, after: rig.feed.head, resumed: true))
        #expect(parts[0].buttonIDs == ["b1"])
        #expect(parts[0]["buttons"]?.elements[0]["run"]?["elapsedMs"] == .integer(100))
    }

    @Test("What changes before its part comes is in the snapshot; what changes after it follows as state")
    func changesUnderWay() throws {
        let rig = FeedRig(count: 300, bytes: 500)
        let parts = try rig.parts(of: snapshot(rig)) { rig, count in
            guard count == 1 else { return }
            rig.change(0, to: "after its part")
            rig.change(299, to: "before its part")
            _ = rig.flush()
        }
        #expect(parts.count > 2)
        let items = parts.flatMap { $0["buttons"]?.elements ?? [] }
        #expect(items.map { $0["id"]?.string } == (0..<300).map { "b\($0)" })
        #expect(items[299]["disabledReason"] == .text("before its part") && items[0]["disabledReason"] == nil)
        let seq = try #require(parts.last?["seq"]?.int)
        #expect(seq == 300, "all up to here were sent, and not what came after")
        #expect(try JSONValue(rig.state(after: seq).bytes).buttonIDs.contains("b0"))
    }

    @Test("A board on which all items change all the time cannot keep a snapshot from ending, with every item in it")
    func endlessChanges() throws {
        let rig = FeedRig(count: 200, bytes: 900)
        let parts = try rig.parts(of: snapshot(rig)) { rig, count in
            for index in 0..<200 { rig.change(index, to: "\(count)") }
            _ = rig.flush()
        }
        #expect(parts.count < 10)
        #expect(parts.flatMap(\.buttonIDs) == (0..<200).map { "b\($0)" })
    }

    @Test("Catching up is cut at 64 KiB as well, and says how far it is")
    func catchUp() throws {
        let rig = FeedRig(count: 200, bytes: 900)
        for index in 0..<200 { rig.change(index, to: "r") }
        _ = rig.flush()
        var sent = 200
        var ids: [String] = []
        while sent < rig.feed.head {
            let frame = rig.state(after: sent)
            #expect(frame.bytes.count <= 64 * 1024)
            let state = try JSONValue(frame.bytes)
            ids += state.buttonIDs
            #expect(frame.seq == state["seq"]?.int && frame.seq == state["buttons"]?.elements.last?["seq"]?.int)
            #expect(frame.isLast == (frame.seq == rig.feed.head))
            sent = frame.seq
        }
        #expect(Set(ids).count == 200 && ids.count == 200)
    }

    @Test("An item that alone is too big goes alone")
    func huge() throws {
        var rig = FeedRig([
            AsyncButton("a") { (_: Run) in }, AsyncButton("b") { (_: Run) in }.look { $0.busyLabel = nil },
        ])
        #expect(try rig.parts(of: snapshot(rig)).count == 1)
        // Control characters are six bytes each on the wire.
        let long = String(repeating: "\u{1}", count: 1024)
        rig = FeedRig(
            (0..<9).map { index in
                AsyncButton("b\(index)") { (_: Run) in }.description(long).confirm(long).look { $0.busyLabel = long }
            })
        var rest: Feed.Snapshot? = snapshot(rig)
        while let snapshot = rest {
            let (frame, next) = rig.part(of: snapshot)
            #expect(frame.bytes.count <= 64 * 1024)
            rest = next
        }
    }

    @Test("A frame with relative times is used again for 50 ms and not longer")
    func reuse() throws {
        let rig = FeedRig(count: 1)
        _ = rig.press(FeedRig.id(0))
        _ = rig.flush()
        func elapsed() throws -> JSONValue? {
            try JSONValue(rig.state(after: 1).bytes)["buttons"]?.elements[0]["run"]?["elapsedMs"]
        }
        rig.now += 50
        #expect(try elapsed() == .integer(0))
        rig.now += 1
        #expect(try elapsed() == .integer(51))
        rig.now += 30
        #expect(try elapsed() == .integer(51))
        #expect(try rig.item(FeedRig.id(0))["run"]?["elapsedMs"] == .integer(51))
        rig.now += 30
        #expect(try rig.item(FeedRig.id(0))["run"]?["elapsedMs"] == .integer(111))
    }

    @Test("A frame is not used again for another position, nor after a change")
    func noReuse() throws {
        let rig = FeedRig(count: 2)
        rig.change(0, to: "a")
        _ = rig.flush()
        rig.change(1, to: "b")
        _ = rig.flush()
        #expect(try JSONValue(rig.state(after: 3).bytes).buttonIDs == ["b1"])
        #expect(try JSONValue(rig.state(after: 2).bytes).buttonIDs == ["b0", "b1"])
        rig.change(1, to: "c")
        _ = rig.flush()
        let state = try JSONValue(rig.state(after: 2).bytes)
        #expect(state["buttons"]?.elements[1]["disabledReason"] == .text("c"))
    }

    @Test("An answer between two flushes shows the newest state, and does not spoil the next frame")
    func betweenFlushes() throws {
        let rig = FeedRig(count: 1)
        rig.change(0, to: "a")
        #expect(try rig.item(FeedRig.id(0))["disabledReason"] == .text("a"))
        let state = try JSONValue(try #require(rig.flush()).bytes)
        #expect(state["buttons"]?.elements[0]["seq"] == .integer(2))
        #expect(state["buttons"]?.elements[0]["disabledReason"] == .text("a"))
    }
}
