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
    /// How often lws was woken for its timers.
    package private(set) var tickCount = 0
    /// The limit of open files that the server has set for the process.
    public let descriptorLimit: Int

    /// Sockets alive now, HTTP included.
    public var socketCount: Int { sockets.count }

    let loop: EventLoop
    let configuration: ServerConfiguration
    var addresses: AddressBook
    /// The socket that is being handed to lws.
    private(set) var upgrading: ClientSocket?
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

    // MARK: Accepting

    private func accepted(_ descriptor: Int32, _ peer: IPAddress?, _ listener: ListenAddress) {
        lastID += 1
        let id = ConnectionID(rawValue: lastID)
        let socket = ClientSocket(id: id, descriptor: descriptor, direct: peer, listener: listener)
        if let kind = overflow(socket) {
            delegate?.denied(Denial(kind: kind, peer: socket.peer, detail: "too many connections"))
            let limit = configuration.limits.refusalsWaiting
            guard limit == 0 || refusedCount < limit else {
                Glibc.close(descriptor)
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
        socket.http = HTTPConnection(self, socket)
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
        tickCount += 1
        let now = loop.now
        for socket in Array(timed.values) {
            guard let deadline = socket.deadline, deadline <= now else { continue }
            if socket.http?.isDripping == true {
                let detail = "no whole request within \(configuration.limits.requestSeconds) s"
                delegate?.denied(Denial(kind: .requestTimeout, peer: socket.peer, detail: detail))
            }
            close(socket)
        }
        context?.service()
    }

    /// Ends a socket without ceremony: an HTTP one now, one of lws at its next service.
    func close(_ socket: ClientSocket) {
        if let http = socket.http {
            http.stop()
            Glibc.close(socket.descriptor)
            forget(socket)
        } else if let wsi = unsafe socket.wsi {
            setDeadline(socket, nil)
            unsafe clws_kill(wsi)
        }
    }

    // MARK: Upgrade

    /// The refusal of an upgrade by a client that makes too many of them.
    func crowded(_ socket: ClientSocket, _ request: HTTPRequest) -> RequestGate.Refusal? {
        let client = request.peer.effective
        let isLocal = request.peer.isLocal || configuration.policy.trusts(client)
        guard addresses.shakeHands(client, isLocal: isLocal, now: loop.now) else {
            let retry = (name: "Retry-After", value: "1")
            return .init(.handshakes, 503, "Too many new connections per second.", headers: [retry], peer: request.peer)
        }
        guard client != socket.direct else { return nil }
        guard addresses.enter(client, isLocal: isLocal) else {
            let retry = (name: "Retry-After", value: "5")
            let text = "Too many connections of one address."
            return .init(.connectionsPerAddress, 503, text, headers: [retry], peer: request.peer)
        }
        socket.counted.append(client)
        return nil
    }

    /// Hands the socket to lws: `bytes` are a request that it will accept, and what came behind it.
    func upgrade(_ socket: ClientSocket, _ request: HTTPRequest, _ bytes: [UInt8]) {
        socket.http = nil
        socket.upgrade = request
        upgrading = socket
        defer { upgrading = nil }
        guard context?.upgrade(socket.descriptor, bytes) == true else { return forget(socket) }
        // What came behind the request lies in lws's buffer, where no event of the descriptor tells of it.
        context?.service()
    }

    // MARK: Events of lws

    func handle(
        _ event: SocketEvent, on socket: ClientSocket, _ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer
    ) -> Int32 {
        callbackDepth += 1
        defer { callbackDepth -= 1 }
        switch event {
        case .adopted: unsafe socket.wsi = unsafe wsi
        case .upgradeRequested: return unsafe confirm(socket, wsi)
        case .opened: unsafe opened(socket, wsi)
        case .received: unsafe received(socket, wsi, bytes)
        case .writable: return socket.connection?.socketIsWritable(delegate) ?? true ? -1 : 0
        case .peerCloses: return unsafe peerCloses(socket, wsi, bytes)
        case .protocolDropped: dropped(socket)
        case .unexpected: return -1
        case .destroyed: forget(socket)
        }
        return 0
    }

    /// After its own answer to an unknown upgrade on a kept connection lws comes here with a freed header, whose length
    /// is then 0 (CVE-2025-11677). Nothing of the kind reaches it from us; this is the net below.
    private func confirm(_ socket: ClientSocket, _ wsi: OpaquePointer) -> Int32 {
        let hasUpgrade = unsafe lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) > 0
        return hasUpgrade && socket.upgrade != nil ? 0 : -1
    }

    private func opened(_ socket: ClientSocket, _ wsi: OpaquePointer) {
        guard let request = exchange(&socket.upgrade, with: nil) else { return }
        setDeadline(socket, nil)
        let connection = unsafe Connection(id: socket.id, request: request, wsi: wsi, limits: configuration.limits)
        socket.connection = connection
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
        if connection.assembler.wasFragmented { connection.hold() }
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

    /// lws answers with the same bytes; one alone is no code (RFC 6455 5.5.1).
    private func peerCloses(_ socket: ClientSocket, _ wsi: OpaquePointer, _ payload: UnsafeRawBufferPointer) -> Int32 {
        socket.connection?.detach()
        guard payload.count == 1 else { return 0 }
        unsafe lws_close_reason(wsi, LWS_CLOSE_STATUS_PROTOCOL_ERR, nil, 0)
        return -1
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
        guard sockets.removeValue(forKey: socket.id) != nil else { return }
        dropped(socket)
        unsafe socket.wsi = nil
        timed[socket.id] = nil
        socket.http = nil
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
