@testable import Pushboard

/// A client of a feed with its connection, as server and page keep them.
struct FeedClient {
    /// What the page keeps.
    private(set) var items: [String: JSONValue] = [:]
    private(set) var position: Int?
    private var parts: [String: JSONValue]?
    /// What the server keeps of the connection; `nil` = not connected.
    private(set) var connection: Connection?

    struct Connection {
        var sent = 0
        var snapshot: Feed.Snapshot?
    }

    mutating func connect(_ rig: FeedRig) {
        let snapshot =
            position.map { rig.feed.snapshot(after: $0, resumed: true) } ?? rig.feed.snapshot(after: 0, resumed: false)
        parts = nil
        connection = Connection(snapshot: snapshot)
    }

    mutating func disconnect() { connection = nil }

    /// It asks for a snapshot of the whole.
    mutating func askAgain(_ rig: FeedRig) { connection?.snapshot = rig.feed.snapshot(after: 0, resumed: false) }

    /// The shared frame goes out directly to whoever has everything before it.
    mutating func offer(_ frame: Feed.Frame, after before: Int) throws {
        guard let connection, connection.snapshot == nil, connection.sent == before else { return }
        self.connection?.sent = frame.seq
        try receive(frame.bytes)
    }

    /// The socket takes one more frame. False: there is none.
    mutating func pump(_ rig: FeedRig) throws -> Bool {
        guard let connection else { return false }
        if let snapshot = connection.snapshot {
            let (frame, rest) = rig.part(of: snapshot)
            self.connection?.snapshot = rest
            if rest == nil { self.connection?.sent = frame.seq }
            try receive(frame.bytes)
            return true
        }
        guard rig.feed.head > connection.sent else { return false }
        let frame = rig.state(after: connection.sent)
        self.connection?.sent = frame.seq
        try receive(frame.bytes)
        return true
    }

    private mutating func receive(_ bytes: [UInt8]) throws {
        let message = try JSONValue(bytes)
        let buttons = message["buttons"]?.elements ?? []
        let seq = message["seq"]?.int ?? -1
        precondition(bytes.count <= Feed.frameBytes)
        if message["type"] == .text("state") {
            precondition(parts == nil && seq > position ?? .max, "a state rises, and never comes amid a snapshot")
            for button in buttons { Self.put(button, into: &items) }
            position = seq
            return
        }
        var entries = parts ?? (message["resumed"] == .bool(true) ? items : [:])
        for button in buttons { Self.put(button, into: &entries) }
        parts = entries
        guard message["more"] == .bool(false) else { return }
        items = entries
        parts = nil
        position = seq
    }

    private static func put(_ button: JSONValue, into entries: inout [String: JSONValue]) {
        let id = button["id"]?.string ?? ""
        if let known = entries[id], known["rev"]?.int ?? 0 > button["rev"]?.int ?? 0 { return }
        entries[id] = button
    }
}
