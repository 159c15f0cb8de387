internal import CLibwebsockets
internal import Glibc

/// Serves HTTP and WebSocket on an `EventLoop`. Belongs to the loop's thread, or to the thread that will call `run`.
public final class Server {
    /// The open WebSockets, in no order, ready for a broadcast.
    public internal(set) var connections: [Connection] = []
    public weak var delegate: (any ServerDelegate)?
    /// WebSockets opened since the start.
    public internal(set) var openedCount = 0
    /// Sockets accepted and destroyed since the start.
    public internal(set) var acceptedCount = 0
    public internal(set) var destroyedCount = 0
    /// How often lws was woken for its timers.
    package internal(set) var tickCount = 0
    /// The limit of open files that the server has set for the process.
    public let descriptorLimit: Int

    /// Sockets alive now, HTTP included.
    public var socketCount: Int { sockets.count }

    let loop: EventLoop
    let configuration: ServerConfiguration
    var addresses: AddressBook
    let pingFrame = SharedFrame(binary: [0x70])
    /// The socket that is being handed to lws.
    var upgrading: ClientSocket?
    var context: ServerContext?
    private var acceptor: Acceptor?
    private let listeners: [Listener]
    var sockets: [ConnectionID: ClientSocket] = [:]
    /// Those that have a deadline: HTTP, and WebSockets that are closing.
    var timed: [ConnectionID: ClientSocket] = [:]
    var refusedCount = 0
    var lastID: UInt64 = 0
    var tick: LoopTimer?
    private var dateField = DateField()
    var callbackDepth = 0
    var whenGone: (() -> Void)?
    private(set) var isStopping = false

    /// lws does not see its own timers on a foreign loop, so it is woken this often while anything is connected.
    static let tickInterval = Duration.milliseconds(250)
    /// A client that takes nothing of an answer for so long is cut.
    static let stallLimit = Duration.seconds(30)
    /// From the end of an answer that ends a connection to the end of the socket.
    static let lingerLimit = Duration.seconds(1)
    /// From the start of a WebSocket's close to the end of the socket.
    static let closeLimit = Duration.seconds(2)

    /// Starts to accept on `listeners` as soon as the loop runs. Throws `ServerError` with one line that says what to do.
    ///
    /// Sets the process's soft limit of open files to what `limits.connections` need, and ignores SIGPIPE.
    public init(
        loop: EventLoop, listeners: [Listener], configuration: ServerConfiguration, delegate: any ServerDelegate
    ) throws(ServerError) {
        precondition(
            configuration.pingSeconds == 0 || configuration.hangupSeconds > configuration.pingSeconds,
            "hangupSeconds must be greater than pingSeconds")
        self.loop = loop
        self.listeners = listeners
        self.configuration = configuration
        self.delegate = delegate
        addresses = AddressBook(configuration.limits)
        descriptorLimit = DescriptorLimit.clamp(connections: configuration.limits.connections)
        let user = unsafe Unmanaged.passUnretained(self).toOpaque()
        context = try unsafe ServerContext(loop: loop, configuration: configuration, user: user)
        acceptor = Acceptor(
            loop, listeners, accepted: { [unowned self] in accepted($0, $1, $2) },
            exhausted: { [unowned self] in
                let peer = PeerAddress(direct: nil, effective: nil)
                self.delegate?.denied(Denial(kind: .descriptors, peer: peer, detail: "out of file descriptors"))
            })
    }

    deinit { destroy() }

    /// Closes the listeners; open connections stay, and HTTP ones end with their current request.
    public func stopListening() {
        isStopping = true
        acceptor?.stop()
        acceptor = nil
        for listener in listeners { listener.close() }
    }

    /// Closes every open WebSocket, as `Connection.close` does, and idle HTTP connections.
    public func closeAll(code: UInt16, reason: String) {
        for connection in connections { connection.close(code: code, reason: reason) }
        // Silent clients are cut after the same time as those that do not answer a Close frame.
        let deadline = loop.now + Self.closeLimit
        for socket in Array(sockets.values) {
            if socket.http?.isIdle == true { close(socket) } else { setDeadline(socket, deadline) }
        }
    }

    /// `stopListening`, `closeAll`, then `completion` once when every socket is gone (a silent client is cut after 2 s).
    public func shutDown(code: UInt16, reason: String, completion: @escaping () -> Void) {
        stopListening()
        whenGone = completion
        closeAll(code: code, reason: reason)
        if sockets.isEmpty { announceGone() }
    }

    /// Frees everything; open sockets are cut. Call it outside of delegate calls, before the loop goes.
    public func destroy() {
        guard let context else { return }
        precondition(callbackDepth == 0, "Server.destroy was called inside one of its delegate's calls")
        stopListening()
        for socket in Array(sockets.values) where socket.http != nil { close(socket) }
        context.destroy()
        self.context = nil
        tick?.cancel()
        tick = nil
    }

    var date: String { dateField.text(at: time(nil)) }

    var requestDeadline: Duration? {
        let seconds = configuration.limits.requestSeconds
        return seconds == 0 ? nil : loop.now + .seconds(seconds)
    }
}
