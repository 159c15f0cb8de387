internal import CLibwebsockets

/// The payload of one text or binary message, written to any number of connections without a copy.
@safe public final class SharedFrame: Sendable {
    /// Payload bytes.
    public let count: Int
    /// Whether it goes out as a binary message.
    public let isBinary: Bool
    /// Head-room for the frame header, then the payload.
    ///
    /// `nonisolated(unsafe)`: the payload never changes after `init`, and the head-room is written only inside
    /// `lws_write`, which the loop's thread alone calls.
    private nonisolated(unsafe) let storage: UnsafeMutablePointer<UInt8>

    public convenience init(text: some Collection<UInt8>) { self.init(text, isBinary: false) }

    public convenience init(text: String) { self.init(text.utf8, isBinary: false) }

    public convenience init(binary: some Collection<UInt8>) { self.init(binary, isBinary: true) }

    private init(_ payload: some Collection<UInt8>, isBinary: Bool) {
        let room = Int(clws_head_room)
        count = payload.count
        self.isBinary = isBinary
        unsafe storage = .allocate(capacity: room + count)
        unsafe storage.initialize(repeating: 0, count: room)
        let target = unsafe UnsafeMutableBufferPointer(start: storage + room, count: count)
        _ = unsafe target.initialize(from: payload)
    }

    deinit { unsafe storage.deallocate() }

    /// The payload, for tests and for owners that compare frames.
    public var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: payload, count: count)) }

    var payload: UnsafeMutablePointer<UInt8> { unsafe storage + Int(clws_head_room) }
}
