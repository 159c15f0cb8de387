internal import CLibwebsockets
internal import Glibc

/// The HTTP side of a server: requests in, answers out. Each method returns what the callback gives lws: -1 closes.
extension Server {
    func httpRequest(_ socket: ClientSocket, _ wsi: OpaquePointer) -> Int32 {
        if let response = overloaded(socket) { return unsafe refuse(socket, wsi, response) }
        switch unsafe check(socket, wsi) {
        case .refuse(let refusal): return unsafe refuse(socket, wsi, refusal)
        case .request(let request):
            guard request.contentLength > 0 else { return unsafe answer(socket, wsi, request) }
            socket.request = request
            socket.body = []
            return 0
        }
    }

    func httpBody(_ socket: ClientSocket, _ piece: UnsafeRawBufferPointer) -> Int32 {
        guard let request = socket.request else { return 0 }
        guard socket.body.count + piece.count <= request.contentLength else { return -1 }
        unsafe socket.body.append(contentsOf: piece)
        return 0
    }

    func httpBodyEnd(_ socket: ClientSocket, _ wsi: OpaquePointer) -> Int32 {
        // lws announces the end of an empty body too, when the request has been answered.
        guard var request = socket.request else { return 0 }
        socket.request = nil
        request.body = exchange(&socket.body, with: [])
        return unsafe answer(socket, wsi, request)
    }

    func upgradeRequested(_ socket: ClientSocket, _ wsi: OpaquePointer) -> Int32 {
        // After its own answer to an unknown upgrade on a kept connection lws comes here with a freed header
        // (CVE-2025-11677); then the field is gone.
        guard unsafe lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) > 0 else { return -1 }
        if let response = overloaded(socket) { return unsafe refuse(socket, wsi, response) }
        switch unsafe check(socket, wsi) {
        case .refuse(let refusal): return unsafe refuse(socket, wsi, refusal)
        case .request(let request):
            if let response = crowded(socket, request) ?? delegate?.refusal(ofUpgrade: request) {
                return unsafe refuse(socket, wsi, response)
            }
            socket.request = request
            return 0
        }
    }

    /// Hands over more of an answer. -1: it is out, and the connection ends with it.
    func httpWritable(_ socket: ClientSocket, _ wsi: OpaquePointer) -> Int32 {
        guard var outgoing = socket.outgoing else { return 0 }
        while outgoing.remaining > 0, unsafe lws_partial_buffered(wsi) == 0 {
            guard unsafe write(&outgoing, to: wsi) else { return -1 }
        }
        socket.outgoing = outgoing
        let isHalfSent = unsafe lws_partial_buffered(wsi) != 0
        if outgoing.remaining > 0 || isHalfSent {
            unsafe pauseInput(socket, wsi)
            setDeadline(socket, loop.now + Self.stallLimit)
            unsafe lws_callback_on_writable(wsi)
            return 0
        }
        return unsafe finish(socket, wsi, closes: outgoing.closes)
    }

    private func answer(_ socket: ClientSocket, _ wsi: OpaquePointer, _ request: HTTPRequest) -> Int32 {
        let response = delegate?.respond(to: request) ?? .text(503, "This server has no owner.")
        let closes = response.closes || request.wantsClose || isStopping
        socket.outgoing = OutgoingResponse(response, isHead: request.method == "HEAD", closes: closes, date: date)
        return unsafe httpWritable(socket, wsi)
    }

    /// The answer is out: ready for the next request, or the end.
    private func finish(_ socket: ClientSocket, _ wsi: OpaquePointer, closes: Bool) -> Int32 {
        socket.outgoing = nil
        if closes { return -1 }
        if socket.isPaused {
            socket.isPaused = false
            _ = unsafe lws_rx_flow_control(wsi, 1)
        }
        setDeadline(socket, requestDeadline)
        socket.markRequestEnd()
        return unsafe lws_http_transaction_completed(wsi) == 0 ? 0 : -1
    }

    /// While an answer is under way no further request may be parsed: lws would mix it with the one before.
    private func pauseInput(_ socket: ClientSocket, _ wsi: OpaquePointer) {
        guard !socket.isPaused else { return }
        socket.isPaused = true
        _ = unsafe lws_rx_flow_control(wsi, 0)
    }

    private func write(_ outgoing: inout OutgoingResponse, to wsi: OpaquePointer) -> Bool {
        let room = Int(clws_head_room)
        return unsafe scratch.withUnsafeMutableBufferPointer { scratch in
            guard let base = scratch.baseAddress else { return false }
            let target = unsafe UnsafeMutableBufferPointer(start: base + room, count: scratch.count - room)
            let count = unsafe outgoing.copy(to: target)
            return unsafe lws_write(wsi, base + room, count, LWS_WRITE_HTTP) >= count
        }
    }

    // MARK: Refusals

    private func check(_ socket: ClientSocket, _ wsi: OpaquePointer) -> RequestGate.Decision {
        var head = unsafe HeadReader(wsi).read()
        head.byteCount = max(head.byteCount, socket.bytesSinceRequest)
        return RequestGate.check(head, from: socket.arrival, policy: configuration.policy, limits: configuration.limits)
    }

    private func refuse(_ socket: ClientSocket, _ wsi: OpaquePointer, _ refusal: RequestGate.Refusal) -> Int32 {
        delegate?.denied(Denial(kind: refusal.kind, peer: refusal.peer, detail: refusal.detail))
        return unsafe refuse(socket, wsi, refusal.response)
    }

    /// Sends a short answer and ends the connection; what the socket does not take at once lws sends within 5 s.
    private func refuse(_ socket: ClientSocket, _ wsi: OpaquePointer, _ response: HTTPResponse) -> Int32 {
        var outgoing = OutgoingResponse(response, isHead: false, closes: true, date: date)
        while outgoing.remaining > 0 {
            guard unsafe write(&outgoing, to: wsi) else { return -1 }
        }
        socket.discardInput()
        return -1
    }

    /// 503 for a socket that came over a cap.
    private func overloaded(_ socket: ClientSocket) -> HTTPResponse? {
        guard socket.refusal != nil else { return nil }
        return .text(503, "This server has too many connections.", headers: [(name: "Retry-After", value: "5")])
    }

    /// 503 for an upgrade of a client that makes too many of them.
    private func crowded(_ socket: ClientSocket, _ request: HTTPRequest) -> HTTPResponse? {
        let client = request.peer.effective
        let isLocal = request.peer.isLocal || configuration.policy.trusts(client)
        guard addresses.shakeHands(client, isLocal: isLocal, now: loop.now) else {
            delegate?.denied(Denial(kind: .handshakes, peer: request.peer, detail: "too many upgrades per second"))
            return .text(503, "Too many connections at once.", headers: [(name: "Retry-After", value: "1")])
        }
        guard client != socket.direct else { return nil }
        guard addresses.enter(client, isLocal: isLocal) else {
            let detail = "too many connections of one address"
            delegate?.denied(Denial(kind: .connectionsPerAddress, peer: request.peer, detail: detail))
            return .text(503, "Too many connections.", headers: [(name: "Retry-After", value: "5")])
        }
        socket.counted.append(client)
        return nil
    }
}
