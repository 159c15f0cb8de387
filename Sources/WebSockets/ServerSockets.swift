internal import CLibwebsockets
internal import Glibc

/// Sockets from the accept to the end.
extension Server {
    func accepted(_ descriptor: Int32, _ peer: IPAddress?, _ listener: ListenAddress) {
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

    /// A socket is gone, and its descriptor closed.
    func forget(_ socket: ClientSocket) {
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
    func announceGone() {
        guard let whenGone = exchange(&whenGone, with: nil) else { return }
        _ = loop.schedule(at: loop.now, whenGone)
    }
}
