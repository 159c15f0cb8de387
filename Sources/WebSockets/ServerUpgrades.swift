/// From HTTP to WebSocket.
extension Server {
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
}
