internal import CLibwebsockets
internal import Glibc

/// One accepted socket, from the accept to the end: first HTTP requests, then perhaps a WebSocket.
@safe final class ClientSocket {
    let id: ConnectionID
    let descriptor: Int32
    let direct: IPAddress?
    let listener: ListenAddress
    /// Set between the adoption and the destruction.
    var wsi: OpaquePointer?
    /// When it is cut, by `EventLoop.now`; `nil`: never.
    var deadline: Duration?
    /// It came over a cap, and its first request is answered 503.
    var refusal: Denial.Kind?
    /// Accepted and not yet done with: a body is awaited, or the upgrade is being made.
    var request: HTTPRequest?
    var body: [UInt8] = []
    var outgoing: OutgoingResponse?
    var isPaused = false
    /// It was upgraded.
    var isWebSocket = false
    var connection: Connection?
    /// The addresses under which it is counted.
    var counted: [IPAddress?] = []
    /// Bytes read from it when the last request ended; TCP only.
    var bytesBefore = 0
    var isDestroyed = false

    init(id: ConnectionID, descriptor: Int32, direct: IPAddress?, listener: ListenAddress) {
        self.id = id
        self.descriptor = descriptor
        self.direct = direct
        self.listener = listener
    }

    var arrival: RequestGate.Arrival { .init(direct: direct, listener: listener) }
    var peer: PeerAddress { .init(direct: direct, effective: direct) }

    /// Bytes read since the last request ended: the size of a head that just ended. 0 on a unix socket.
    var bytesSinceRequest: Int { max(0, Int(clws_bytes_read(descriptor)) - bytesBefore) }

    func markRequestEnd() { bytesBefore = max(0, Int(clws_bytes_read(descriptor))) }

    /// Cuts it at the next service, without ceremony.
    func kill() {
        deadline = nil
        if let wsi = unsafe wsi { unsafe clws_kill(wsi) }
    }

    /// Takes what has arrived, so that closing now does not reset the connection before the client reads our answer.
    func discardInput() {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        for _ in 0..<8 where unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) <= 0 { return }
    }
}
