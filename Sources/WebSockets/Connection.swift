internal import CLibwebsockets
internal import Glibc

/// A connection's name, never used again in a process.
public struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt64
    public var description: String { String(rawValue) }
}

/// What became of a frame given to `Connection.send`.
public enum SendResult: Sendable, Equatable {
    /// The socket (or lws, behind it) has it.
    case sent
    /// It waits in the outbox.
    case queued
    /// The outbox would exceed `outboxBytes`; the frame was dropped, and the owner decides what that means.
    case overflow
    /// The connection is closing or gone; the frame was dropped.
    case closed
}

/// One open WebSocket. Belongs to the loop's thread.
@safe public final class Connection {
    public let id: ConnectionID
    /// The request of the upgrade.
    public let request: HTTPRequest
    /// Whatever the delegate keeps for this connection.
    public var attachment: AnyObject?

    /// `nil` as soon as nothing may be written any more.
    private var wsi: OpaquePointer?
    private var outbox: Outbox
    private var wantsWritable = false
    /// lws has an answer to a ping that goes first.
    private var isHeld = false
    private var closing: (code: UInt16, reason: String)?
    var assembler: MessageAssembler
    /// When the client last sent something, by `EventLoop.now`.
    var lastSeen: Duration
    /// Pinged since then.
    private(set) var isPinged = false
    /// When it is cut although its close is not through; set by the server.
    var closeDeadline: Duration?
    /// Up to a quarter more than the server's `pingSeconds`, so that clients that came together are not pinged together.
    let pingDelay: Duration
    /// Where it stands in `Server.connections`.
    var index = 0

    init(
        id: ConnectionID, request: HTTPRequest, wsi: OpaquePointer, configuration: ServerConfiguration, now: Duration
    ) {
        self.id = id
        self.request = request
        unsafe self.wsi = unsafe wsi
        outbox = Outbox(limit: configuration.limits.outboxBytes)
        assembler = MessageAssembler(limit: configuration.limits.messageBytes)
        lastSeen = now
        // Knuth's multiplier spreads ids that follow each other.
        let spread = Int(id.rawValue &* 2_654_435_761 % 1_000)
        pingDelay = .milliseconds(configuration.pingSeconds * spread / 4)
    }

    /// Whether `write` may be called: open, nothing half-sent, nothing waiting before it.
    public var isWritableNow: Bool {
        guard let wsi = unsafe wsi, closing == nil, outbox.isEmpty, !isHeld else { return false }
        return unsafe lws_partial_buffered(wsi) == 0
    }

    public var isClosing: Bool { unsafe closing != nil || wsi == nil }

    /// Writes `frame` at once if the socket takes it, else keeps it in the outbox.
    @discardableResult public func send(_ frame: SharedFrame) -> SendResult {
        if isClosing { return .closed }
        if isWritableNow { return write(frame) ? .sent : .closed }
        guard outbox.append(frame) else { return .overflow }
        askWritable()
        return .queued
    }

    /// Writes `frame` at once; only while `isWritableNow`. False: the socket failed, the connection is about to go.
    @discardableResult public func write(_ frame: SharedFrame) -> Bool {
        precondition(isWritableNow, "write needs a connection that is writable now")
        return put(frame)
    }

    /// Asks for one `writable` call, when the outbox is empty and the socket takes more.
    public func requestWritable() {
        guard !isClosing, !wantsWritable else { return }
        wantsWritable = true
        askWritable()
    }

    /// Sends what waits, then a Close frame (RFC 6455 7.1.2). `reason` is cut to 123 bytes. The first call counts.
    public func close(code: UInt16, reason: String) {
        guard !isClosing else { return }
        closing = (code, reason)
        askWritable()
    }

    // MARK: For the server

    /// The client has sent something.
    func isHeard(_ now: Duration) {
        lastSeen = now
        isPinged = false
    }

    /// A ping with a payload, because lws keeps answers without one to itself. Waits while a frame is half-sent.
    func ping(_ frame: SharedFrame) {
        guard let wsi = unsafe wsi, unsafe lws_partial_buffered(wsi) == 0 else { return }
        isPinged = true
        if unsafe lws_write(wsi, frame.payload, frame.count, LWS_WRITE_PING) < frame.count { unsafe fail(wsi) }
    }

    /// How long nothing at all has come, by the kernel; `nil`: no TCP.
    var kernelSilence: Duration? {
        guard let wsi = unsafe wsi else { return nil }
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        let status = unsafe getsockopt(lws_get_socket_fd(wsi), Int32(IPPROTO_TCP), TCP_INFO, &info, &size)
        return status == 0 ? .milliseconds(info.tcpi_last_data_recv) : nil
    }

    /// Ends it without ceremony: the client does not answer.
    func hangUp() {
        guard let wsi = unsafe wsi else { return }
        unsafe fail(wsi)
    }

    /// Nothing is written before the socket has been writable once: lws answers pings only then, and an answer to a
    /// message must not overtake that to a ping between its fragments.
    func hold() {
        isHeld = true
        askWritable()
    }

    /// The socket takes more. True: close it now.
    func socketIsWritable(_ delegate: (any ServerDelegate)?) -> Bool {
        guard let wsi = unsafe wsi else { return true }
        isHeld = false
        while unsafe lws_partial_buffered(wsi) == 0, let frame = outbox.removeFirst() {
            guard put(frame) else { return true }
        }
        if unsafe lws_partial_buffered(wsi) != 0 || !outbox.isEmpty {
            askWritable()
            return false
        }
        if let closing {
            state(closing)
            return true
        }
        if wantsWritable {
            wantsWritable = false
            delegate?.writable(self)
        }
        return false
    }

    /// lws closes by itself. What was held back goes out before its Close frame; nothing can be written after it.
    func detach() {
        if isHeld, let wsi = unsafe wsi {
            while unsafe lws_partial_buffered(wsi) == 0, let frame = outbox.removeFirst() {
                guard unsafe write(frame, to: wsi) else { break }
            }
        }
        unsafe wsi = nil
        outbox.removeAll()
        assembler.reset()
    }

    private func askWritable() {
        guard let wsi = unsafe wsi else { return }
        unsafe lws_callback_on_writable(wsi)
    }

    private func put(_ frame: SharedFrame) -> Bool {
        guard let wsi = unsafe wsi else { return false }
        if unsafe write(frame, to: wsi) { return true }
        unsafe fail(wsi)
        return false
    }

    private func fail(_ wsi: OpaquePointer) {
        unsafe clws_kill(wsi)
        isHeld = false
        detach()
    }

    private func write(_ frame: SharedFrame, to wsi: OpaquePointer) -> Bool {
        let kind = frame.isBinary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT
        return unsafe lws_write(wsi, frame.payload, frame.count, kind) >= frame.count
    }

    private func state(_ closing: (code: UInt16, reason: String)) {
        guard let wsi = unsafe wsi else { return }
        var reason = Array(closing.reason.utf8.prefix(123))
        while !reason.isEmpty, String(validating: reason, as: UTF8.self) == nil { reason.removeLast() }
        let status = lws_close_status(rawValue: UInt32(closing.code))
        unsafe lws_close_reason(wsi, status, &reason, reason.count)
    }
}
