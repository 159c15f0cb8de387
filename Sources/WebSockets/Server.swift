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
    public private(set) var acceptedCount = 0
    public private(set) var destroyedCount = 0
    /// The limit of open files that the server has set for the process.
    public let descriptorLimit: Int

    /// Sockets alive now, HTTP included.
    public var socketCount: Int { sockets.count }

    let loop: EventLoop
    let configuration: ServerConfiguration
    var addresses: AddressBook
    /// For `lws_write`: head-room, then a piece of an answer.
    var scratch: [UInt8]
    private var context: ServerContext?
    private var acceptor: Acceptor?
    private let listeners: [Listener]
    private var sockets: [ConnectionID: ClientSocket] = [:]
    /// Those that have a deadline: HTTP, and WebSockets that are closing.
    private var timed: [ConnectionID: ClientSocket] = [:]
    private var refusedCount = 0
    private var lastID: UInt64 = 0
    private var tick: LoopTimer?
    private var dateField = DateField()
    private var callbackDepth = 0
    private var whenGone: (() -> Void)?
    private(set) var isStopping = false

    /// lws does not see its own timers on a foreign loop, so it is woken this often while anything is connected.
    static let tickInterval = Duration.milliseconds(250)
    /// A client that takes nothing of an answer for so long is cut.
    static let stallLimit = Duration.seconds(30)
    /// From the start of a close to the end of the socket.
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
        scratch = [UInt8](repeating: 0, count: Int(clws_head_room) + 32_768)
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
        for socket in sockets.values {
            if socket.connection == nil, socket.outgoing == nil { socket.kill() } else { setDeadline(socket, deadline) }
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

    // MARK: Accepting

    private func accepted(_ descriptor: Int32, _ peer: IPAddress?, _ listener: ListenAddress) {
        lastID += 1
        let id = ConnectionID(rawValue: lastID)
        let socket = ClientSocket(id: id, descriptor: descriptor, direct: peer, listener: listener)
        if let kind = overflow(socket) {
            delegate?.denied(Denial(kind: kind, peer: socket.peer, detail: "too many connections"))
            let limit = configuration.limits.refusalsWaiting
            guard limit == 0 || refusedCount < limit else {
                close(descriptor)
                return
            }
            socket.refusal = kind
            refusedCount += 1
        }
        adopt(socket)
    }

    /// The cap that one more socket would exceed. Otherwise it is counted.
    private func overflow(_ socket: ClientSocket) -> Denial.Kind? {
        let limit = configuration.limits.connections
        if limit != 0, sockets.count - refusedCount >= limit { return .connections }
        let isLocal = socket.peer.isLocal || configuration.policy.trusts(socket.direct)
        guard addresses.enter(socket.direct, isLocal: isLocal) else { return .connectionsPerAddress }
        socket.counted.append(socket.direct)
        return nil
    }

    private func adopt(_ socket: ClientSocket) {
        acceptedCount += 1
        sockets[socket.id] = socket
        setDeadline(socket, requestDeadline)
        if socket.direct != nil { Self.setNoDelay(socket.descriptor) }
        if tick == nil { tick = loop.every(Self.tickInterval) { [unowned self] in isTick() } }
        let opaque = unsafe Unmanaged.passUnretained(socket).toOpaque()
        let wsi = unsafe context?.adopt(socket.descriptor, opaque: opaque)
        if unsafe wsi == nil { forget(socket) } else { unsafe socket.wsi = unsafe wsi }
    }

    /// Frames are small and whole: waiting to fill a segment only delays them.
    private static func setNoDelay(_ descriptor: Int32) {
        var one: Int32 = 1
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    // MARK: Time

    func setDeadline(_ socket: ClientSocket, _ deadline: Duration?) {
        socket.deadline = deadline
        timed[socket.id] = deadline == nil ? nil : socket
    }

    private func isTick() {
        let now = loop.now
        for socket in timed.values {
            guard let deadline = socket.deadline, deadline <= now else { continue }
            if !socket.isWebSocket, socket.outgoing == nil, socket.bytesSinceRequest > 0 {
                let detail = "no whole request within \(configuration.limits.requestSeconds) s"
                delegate?.denied(Denial(kind: .requestTimeout, peer: socket.peer, detail: detail))
            }
            socket.kill()
        }
        context?.service()
    }

    // MARK: Events of lws

    func handle(
        _ event: SocketEvent, on socket: ClientSocket, _ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer
    ) -> Int32 {
        callbackDepth += 1
        defer { callbackDepth -= 1 }
        switch event {
        case .httpRequest: return unsafe httpRequest(socket, wsi)
        case .httpBody: return unsafe httpBody(socket, bytes)
        case .httpBodyEnd: return unsafe httpBodyEnd(socket, wsi)
        case .httpWritable: return unsafe httpWritable(socket, wsi)
        case .upgradeRequested: return unsafe upgradeRequested(socket, wsi)
        case .opened: unsafe opened(socket, wsi)
        case .received: unsafe received(socket, wsi, bytes)
        case .writable: return socket.connection?.socketIsWritable(delegate) ?? true ? -1 : 0
        case .peerCloses: socket.connection?.detach()
        case .protocolDropped: dropped(socket)
        case .rawAdopted:
            delegate?.denied(Denial(kind: .method, peer: socket.peer, detail: "CONNECT is not allowed here"))
            return -1
        case .destroyed: forget(socket)
        }
        return 0
    }

    private func opened(_ socket: ClientSocket, _ wsi: OpaquePointer) {
        guard let request = exchange(&socket.request, with: nil) else { return }
        setDeadline(socket, nil)
        let connection = unsafe Connection(id: socket.id, request: request, wsi: wsi, limits: configuration.limits)
        socket.connection = connection
        socket.isWebSocket = true
        connection.index = connections.count
        connections.append(connection)
        openedCount += 1
        delegate?.opened(connection)
    }

    private func received(_ socket: ClientSocket, _ wsi: OpaquePointer, _ piece: UnsafeRawBufferPointer) {
        guard let connection = socket.connection, !connection.isClosing else { return }
        let step = unsafe connection.assembler.add(
            piece, announced: Int(lws_remaining_packet_payload(wsi)), isLast: lws_is_final_fragment(wsi) != 0,
            isBinary: lws_frame_is_binary(wsi) != 0)
        switch step {
        case .doNothing: break
        case .text(let text): delegate?.received(text: text, on: connection)
        case .binary(let bytes): delegate?.received(binary: bytes, on: connection)
        case .notText: connection.close(code: 1007, reason: "the text is not valid UTF-8")
        case .tooBig:
            delegate?.tooBig(on: connection)
            connection.close(code: 1009, reason: "a message has at most \(configuration.limits.messageBytes) bytes")
        }
    }

    /// lws has begun to close a WebSocket, for whatever reason; it may linger for seconds.
    private func dropped(_ socket: ClientSocket) {
        guard let connection = exchange(&socket.connection, with: nil) else { return }
        connection.detach()
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        setDeadline(socket, loop.now + Self.closeLimit)
        delegate?.closed(connection)
    }

    private func forget(_ socket: ClientSocket) {
        guard !socket.isDestroyed else { return }
        socket.isDestroyed = true
        dropped(socket)
        unsafe socket.wsi = nil
        timed[socket.id] = nil
        sockets[socket.id] = nil
        for address in socket.counted { addresses.leave(address) }
        if socket.refusal != nil { refusedCount -= 1 }
        destroyedCount += 1
        guard sockets.isEmpty else { return }
        tick?.cancel()
        tick = nil
        announceGone()
    }

    /// In a turn of its own, because lws is still at work here.
    private func announceGone() {
        guard let whenGone = exchange(&whenGone, with: nil) else { return }
        _ = loop.schedule(at: loop.now, whenGone)
    }
}
