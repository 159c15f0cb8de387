internal import CLibwebsockets

/// What lws tells about its sockets. Each method that returns a number returns what lws gets back: -1 closes.
extension Server {
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
        case .pong: socket.connection?.isHeard(loop.now)
        case .writable: return writable(socket)
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

    /// A close of ours waits for the client's Close frame. One of lws's own, after a bad frame, does not: lws has lost its
    /// place in what the client sends, and would not know the frame (RFC 6455 7.1.7 lets us end at once).
    private func writable(_ socket: ClientSocket) -> Int32 {
        guard let connection = socket.connection else { return socket.awaitsClose ? 0 : -1 }
        socket.awaitsClose = connection.socketIsWritable(delegate)
        return socket.awaitsClose ? -1 : 0
    }

    private func opened(_ socket: ClientSocket, _ wsi: OpaquePointer) {
        guard let request = exchange(&socket.upgrade, with: nil) else { return }
        setDeadline(socket, nil)
        let connection = unsafe Connection(
            id: socket.id, request: request, wsi: wsi, configuration: configuration, now: loop.now)
        socket.connection = connection
        connection.index = connections.count
        connections.append(connection)
        openedCount += 1
        delegate?.opened(connection)
    }

    private func received(_ socket: ClientSocket, _ wsi: OpaquePointer, _ piece: UnsafeRawBufferPointer) {
        guard let connection = socket.connection, !connection.isClosing else { return }
        connection.isHeard(loop.now)
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
    func dropped(_ socket: ClientSocket) {
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
}
