internal import CLibwebsockets
internal import Glibc

/// One accepted socket, from the accept to the end: first HTTP, then perhaps a WebSocket.
@safe final class ClientSocket {
    let id: ConnectionID
    let descriptor: Int32
    /// The other end; `nil`: unix.
    let direct: IPAddress?
    let listener: ListenAddress
    /// It came over a cap, and its first request is answered 503.
    var refusal: Denial.Kind?
    /// The addresses under which it is counted.
    var counted: [IPAddress?] = []
    /// When it is cut, by `EventLoop.now`; `nil`: never.
    var deadline: Duration?
    /// While it speaks HTTP; then the descriptor is ours to close.
    var http: HTTPConnection?
    /// The request of an upgrade that lws is making.
    var upgrade: HTTPRequest?
    /// lws's name for it, from the adoption to the destruction; then the descriptor is lws's to close.
    var wsi: OpaquePointer?
    /// Our Close frame is next or out, and the client's is awaited.
    var awaitsClose = false
    /// While it is an open WebSocket.
    var connection: Connection?

    init(id: ConnectionID, descriptor: Int32, direct: IPAddress?, listener: ListenAddress) {
        self.id = id
        self.descriptor = descriptor
        self.direct = direct
        self.listener = listener
    }

    var arrival: RequestGate.Arrival { .init(direct: direct, listener: listener) }
    var peer: PeerAddress { .init(direct: direct, effective: direct) }
}
