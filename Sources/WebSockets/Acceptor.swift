internal import CLibev
internal import Glibc

/// Accepts from listening sockets. When descriptors run out it gives one back, drops the client with it, and pauses.
final class Acceptor {
    /// A socket that was accepted, and its other end (`nil`: unix).
    typealias Accepted = (_ descriptor: Int32, _ peer: IPAddress?, _ listener: ListenAddress) -> Void

    private let loop: EventLoop
    private var sockets: [AcceptingSocket] = []
    private let accepted: Accepted
    private let exhausted: () -> Void
    /// An open descriptor to give up when there is no other (EMFILE).
    private var spare = openSpare()
    private var pause: LoopTimer?

    /// Connections taken in one turn from one listener, so that those already open are served in between.
    private static let batch = 64
    private static let pauseInterval = Duration.milliseconds(100)

    init(_ loop: EventLoop, _ listeners: [Listener], accepted: @escaping Accepted, exhausted: @escaping () -> Void) {
        self.loop = loop
        self.accepted = accepted
        self.exhausted = exhausted
        for listener in listeners {
            for descriptor in listener.descriptors {
                sockets.append(AcceptingSocket(self, loop, descriptor, listener.address))
            }
        }
        resume()
    }

    deinit { stop() }

    /// Accepts no more.
    func stop() {
        pause?.cancel()
        pause = nil
        for socket in sockets { socket.stop() }
        sockets = []
        if spare >= 0 { close(spare) }
        spare = -1
    }

    fileprivate func accept(from socket: AcceptingSocket) {
        for _ in 0..<Self.batch {
            var address = sockaddr_in6()
            let descriptor = socket.accept(&address)
            if descriptor >= 0 {
                accepted(descriptor, Self.peer(address), socket.address)
                if sockets.isEmpty || pause != nil { return }
                continue
            }
            switch errno {
            case EAGAIN: return
            case EMFILE, ENFILE: return dropOne(from: socket)
            case ENOBUFS, ENOMEM: return pauseAccepting()
            default: continue  // The client left while it waited (accept(2)): the next one.
            }
        }
    }

    /// Takes one client with the spare descriptor and closes it: it sees an end instead of waiting for ever.
    private func dropOne(from socket: AcceptingSocket) {
        if spare >= 0 { close(spare) }
        var address = sockaddr_in6()
        let descriptor = socket.accept(&address)
        if descriptor >= 0 { close(descriptor) }
        spare = Self.openSpare()
        exhausted()
        pauseAccepting()
    }

    private func pauseAccepting() {
        for socket in sockets { socket.stop() }
        pause = loop.schedule(at: loop.now + Self.pauseInterval) { [weak self] in self?.resume() }
    }

    private func resume() {
        pause = nil
        for socket in sockets { socket.start() }
    }

    private static func openSpare() -> Int32 { unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }

    private static func peer(_ address: sockaddr_in6) -> IPAddress? {
        switch Int32(address.sin6_family) {
        case AF_INET6: IPAddress(address.sin6_addr)
        case AF_INET: IPAddress(unsafe unsafeBitCast(address, to: (sockaddr_in, UInt64, UInt32).self).0.sin_addr)
        default: nil
        }
    }
}

/// One listening socket.
final class AcceptingSocket {
    let address: ListenAddress
    private let descriptor: Int32
    private let watcher: IOWatcher

    init(_ acceptor: Acceptor, _ loop: EventLoop, _ descriptor: Int32, _ address: ListenAddress) {
        self.descriptor = descriptor
        self.address = address
        watcher = IOWatcher(loop, descriptor)
        watcher.body = { [unowned acceptor, unowned self] in acceptor.accept(from: self) }
    }

    func start() { watcher.watch(.reading) }
    func stop() { watcher.stop() }

    /// A new descriptor, or -1 and `errno`.
    func accept(_ address: inout sockaddr_in6) -> Int32 {
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        return unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return unsafe accept4(descriptor, pointer, &length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
        }
    }
}
