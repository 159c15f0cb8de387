internal import Glibc

/// The HTTP/1.1 side of one socket: requests in, answers out, one after the other.
final class HTTPConnection {
    private unowned let server: Server
    private unowned let socket: ClientSocket
    private let watcher: IOWatcher
    private var input: [UInt8] = []
    /// How far `input` was searched for the end of a head.
    private var searched = 0
    /// A request whose body is awaited.
    private var awaiting: HTTPRequest?
    private var outgoing: OutgoingResponse?
    /// The last answer is out and our side shut; what still comes is thrown away, so that the answer is not lost to a reset.
    private var isLingering = false
    /// The descriptor is no longer ours, and `socket` may be gone.
    private var isStopped = false

    /// Bytes taken from the socket in one turn.
    private static let readBytes = 16_384

    init(_ server: Server, _ socket: ClientSocket) {
        self.server = server
        self.socket = socket
        watcher = IOWatcher(server.loop, socket.descriptor)
        watcher.body = { [unowned self] in ready() }
        watcher.watch(.reading)
    }

    /// Nothing is under way: neither a part of a request nor an answer.
    var isIdle: Bool { input.isEmpty && awaiting == nil && outgoing == nil && !isLingering }
    /// A client that keeps us waiting for the rest of a request.
    var isDripping: Bool { (!input.isEmpty || awaiting != nil) && outgoing == nil && !isLingering }

    /// Gives the descriptor up.
    func stop() {
        isStopped = true
        watcher.body = {}
        watcher.stop()
    }

    /// The socket may be forgotten while its own event is handled; what is under way still asks it who speaks for it.
    private func ready() {
        withExtendedLifetime(socket) {
            guard outgoing != nil else { return read() }
            flush()
            process()
        }
    }

    // MARK: In

    private func read() {
        var count = 0
        let start = input.count
        input.append(contentsOf: repeatElement(0, count: Self.readBytes))
        count = unsafe input.withUnsafeMutableBytes { bytes in
            unsafe recv(socket.descriptor, bytes.baseAddress.map { unsafe $0 + start }, Self.readBytes, 0)
        }
        let code = errno
        input.removeLast(Self.readBytes - max(0, count))
        if count == 0 || count < 0 && code != EAGAIN && code != EINTR { return server.close(socket) }
        if isLingering { return input.removeAll() }
        process()
    }

    /// Handles whole requests as long as there are any and each has been answered.
    private func process() {
        while outgoing == nil, !isLingering, !isStopped {
            if let request = awaiting {
                guard input.count >= request.contentLength else { return }
                answerAwaited(request)
            } else {
                guard let head = takeHead() else { return }
                guard let head = RequestHead(parsing: head[...]) else {
                    refuse(malformed)
                    return
                }
                handle(head)
            }
        }
    }

    /// The bytes of a whole head, taken out of `input`; `nil`: not yet, or refused.
    private func takeHead() -> [UInt8]? {
        if input.starts(with: [0x0d, 0x0a]) { input.removeFirst(2) }  // RFC 9112 2.2: an empty line before it.
        let limit = server.configuration.limits.headerBytes
        guard let end = headEnd() else {
            if limit != 0, input.count > limit { refuse(tooLong) }
            return nil
        }
        guard limit == 0 || end <= limit else {
            refuse(tooLong)
            return nil
        }
        let head = Array(input[..<end])
        input.removeFirst(end)
        searched = 0
        return head
    }

    /// Behind the first empty line. Each byte is looked at about once, however slowly they come.
    private func headEnd() -> Int? {
        var index = max(0, searched - 3)
        searched = input.count
        while index + 3 < input.count {
            if input[index + 3] == 0x0a, input[index + 2] == 0x0d, input[index + 1] == 0x0a, input[index] == 0x0d {
                return index + 4
            }
            index += 1
        }
        return nil
    }

    private func handle(_ head: RequestHead) {
        if socket.refusal != nil {
            let retry = (name: "Retry-After", value: "5")
            return send(.text(503, "This server has too many connections.", headers: [retry]), closes: true)
        }
        let configuration = server.configuration
        switch RequestGate.check(head, from: socket.arrival, policy: configuration.policy, limits: configuration.limits)
        {
        case .refuse(let refusal): refuse(refusal)
        case .request(let request):
            if request.isUpgrade { return upgrade(request) }
            if request.contentLength > 0 { awaiting = request } else { answer(request) }
        }
    }

    private func answerAwaited(_ request: HTTPRequest) {
        var request = request
        awaiting = nil
        request.body = Array(input[..<request.contentLength])
        input.removeFirst(request.contentLength)
        answer(request)
    }

    // MARK: Out

    private func answer(_ request: HTTPRequest) {
        let response = server.delegate?.respond(to: request) ?? .text(503, "This server has no owner.")
        let closes = response.closes || request.wantsClose || server.isStopping
        send(response, closes: closes, isHead: request.method == "HEAD")
    }

    private func send(_ response: HTTPResponse, closes: Bool, isHead: Bool = false) {
        outgoing = OutgoingResponse(response, isHead: isHead, closes: closes, date: server.date)
        flush()
    }

    /// Hands over as much of the answer as the socket takes.
    private func flush() {
        guard var outgoing else { return }
        while outgoing.remaining > 0 {
            let sent = outgoing.send(to: socket.descriptor)
            if sent > 0 { continue }
            guard sent == 0 else { return server.close(socket) }
            self.outgoing = outgoing
            server.setDeadline(socket, server.loop.now + Server.stallLimit)
            return watcher.watch(.writing)
        }
        self.outgoing = nil
        if outgoing.closes { return linger() }
        watcher.watch(.reading)
        server.setDeadline(socket, server.requestDeadline)
    }

    private func linger() {
        isLingering = true
        input = []
        shutdown(socket.descriptor, Int32(SHUT_WR))
        watcher.watch(.reading)
        server.setDeadline(socket, server.loop.now + Server.lingerLimit)
    }

    // MARK: Refusals

    private func refuse(_ refusal: RequestGate.Refusal) {
        server.delegate?.denied(Denial(kind: refusal.kind, peer: refusal.peer, detail: refusal.detail))
        send(refusal.response, closes: true)
    }

    private var tooLong: RequestGate.Refusal {
        let limit = server.configuration.limits.headerBytes
        return .init(.headerSize, 431, "A request's header has at most \(limit) bytes.", peer: socket.peer)
    }

    private var malformed: RequestGate.Refusal {
        .init(.badRequest, 400, "This is no well-formed HTTP/1.1 request.", peer: socket.peer)
    }

    // MARK: Upgrade

    private func upgrade(_ request: HTTPRequest) {
        if let refusal = server.crowded(socket, request) { return refuse(refusal) }
        if let response = server.delegate?.refusal(ofUpgrade: request) { return send(response, closes: true) }
        stop()
        server.upgrade(socket, request, Self.head(request, server.configuration.policy.subprotocol) + input)
    }

    /// The request as lws gets to see it: nothing in it is the client's own but the key, which has been checked.
    private static func head(_ request: HTTPRequest, _ subprotocol: String?) -> [UInt8] {
        var text = "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        text += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(request.webSocketKey)\r\n"
        if let subprotocol, !request.subprotocols.isEmpty { text += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
        return Array("\(text)\r\n".utf8)
    }
}
