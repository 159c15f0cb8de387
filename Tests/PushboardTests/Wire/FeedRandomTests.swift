import Testing

@testable import Pushboard

@Suite("Feed: whatever happens")
struct FeedRandomTests {
    /// Enough for snapshots of several parts.
    private static let buttons = 90
    /// A seed takes seconds of a debug build.
    #if DEBUG
        private static let seeds: UInt64 = 3
    #else
        private static let seeds: UInt64 = 60
    #endif

    private static func change(_ rig: FeedRig, _ lots: inout SeededGenerator) {
        let index = Int.random(in: 0..<buttons, using: &lots)
        let button = rig.machine.buttons[FeedRig.id(index)]!
        switch Int.random(in: 0..<4, using: &lots) {
        case 0:
            rig.send(.setAvailability(FeedRig.id(index), .enabled))
            if button.runs.isEmpty { rig.press(FeedRig.id(index)) }
        case 1:
            if let run = button.runs.first { rig.end(run.record) }
        default:
            rig.change(index, to: "\(rig.now) \(Int.random(in: 0..<1000, using: &lots))")
        }
    }

    /// One thing that happens to the board, to time or to a client.
    private static func step(_ rig: FeedRig, _ clients: inout [FeedClient], _ lots: inout SeededGenerator) throws {
        let client = clients.indices.randomElement(using: &lots)!
        switch Int.random(in: 0..<100, using: &lots) {
        case 0..<45:
            for _ in 0...Int.random(in: 0..<4, using: &lots) { change(rig, &lots) }
            try flush(rig, &clients, &lots)
        case 45..<50:
            rig.advance(Int.random(in: 0..<200, using: &lots))
            try flush(rig, &clients, &lots)
        case 50..<85: _ = try clients[client].pump(rig)
        case 85..<90: clients[client].disconnect()
        case 90..<97: if clients[client].connection == nil { clients[client].connect(rig) }
        default: clients[client].askAgain(rig)
        }
    }

    /// Broadcasts what changed; not every socket takes it at once.
    private static func flush(_ rig: FeedRig, _ clients: inout [FeedClient], _ lots: inout SeededGenerator) throws {
        let before = rig.feed.head
        guard let frame = rig.flush() else { return }
        for index in clients.indices where Bool.random(using: &lots) { try clients[index].offer(frame, after: before) }
    }

    /// An item without the times that go on between two readings of it.
    private static func settled(_ item: JSONValue?) -> [String: JSONValue] {
        var members = item?.members ?? [:]
        members["holdLeftMs"] = nil
        if var run = members["run"]?.members {
            run["elapsedMs"] = nil
            members["run"] = .object(run)
        }
        return members
    }

    @Test(
        "I7 changes, direct frames, catching up, new and resumed connections in any order: in the end all hold the same",
        arguments: 1...seeds)
    func interleavings(seed: UInt64) throws {
        var lots = SeededGenerator(seed: seed)
        let rig = FeedRig(count: Self.buttons, bytes: 1000)
        var clients = Array(repeating: FeedClient(), count: 4)
        for _ in 0..<400 { try Self.step(rig, &clients, &lots) }
        for index in clients.indices {
            if clients[index].connection == nil { clients[index].connect(rig) }
            while try clients[index].pump(rig) {}
            #expect(clients[index].position == rig.feed.head)
            #expect(clients[index].items.count == Self.buttons)
            for id in rig.plan.order {
                let mine = Self.settled(clients[index].items[id.rawValue])
                #expect(try mine == Self.settled(rig.item(id)), "client \(index), \(id)")
            }
        }
    }
}
