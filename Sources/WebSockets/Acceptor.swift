internal import CLibev
internal import Glibc

/// Accepts from listening sockets. When descriptors run out it gives one back, drops the client with it, and pauses.
@safe final class Acceptor {
    /// A socket that was accepted, and its other end (`nil`: unix).
    typealias Accepted = (_ descriptor: Int32, _ peer: IPAddress?, _ listener: ListenAddress) -> Void

    private let loop: EventLoop
    private var watchers: [AcceptWatcher] = []
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
                watchers.append(AcceptWatcher(self, descriptor, listener.address))
            }
        }
        resume()
    }

    deinit { stop() }

    /// Accepts no more.
    func stop() {
        pause?.cancel()
        pause = nil
        for watcher in watchers { watcher.stop(loop) }
        watchers = []
        if spare >= 0 { close(spare) }
        spare = -1
    }

    fileprivate func accept(from watcher: AcceptWatcher) {
        for _ in 0..<Self.batch {
            var address = sockaddr_in6()
            let descriptor = watcher.accept(&address)
            if descriptor >= 0 {
                accepted(descriptor, Self.peer(address), watcher.address)
                if watchers.isEmpty || pause != nil { return }
                continue
            }
            switch errno {
            case EAGAIN: return
            case EMFILE, ENFILE: return dropOne(from: watcher)
            case ENOBUFS, ENOMEM: return pauseAccepting()
            default: continue  // The client left while it waited (accept(2)): the next one.
            }
        }
    }

    /// Takes one client with the spare descriptor and closes it: it sees an end instead of waiting for ever.
    private func dropOne(from watcher: AcceptWatcher) {
        if spare >= 0 { close(spare) }
        var address = sockaddr_in6()
        let descriptor = watcher.accept(&address)
        if descriptor >= 0 { close(descriptor) }
        spare = Self.openSpare()
        exhausted()
        pauseAccepting()
    }

    private func pauseAccepting() {
        for watcher in watchers { watcher.stop(loop) }
        pause = loop.schedule(at: loop.now + Self.pauseInterval) { [weak self] in self?.resume() }
    }

    private func resume() {
        pause = nil
        for watcher in watchers { watcher.start(loop) }
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

/// Watches one listening socket.
@safe final class AcceptWatcher {
    private unowned let acceptor: Acceptor
    private let descriptor: Int32
    let address: ListenAddress
    private let watcher: UnsafeMutablePointer<ev_io>

    init(_ acceptor: Acceptor, _ descriptor: Int32, _ address: ListenAddress) {
        self.acceptor = acceptor
        self.descriptor = descriptor
        self.address = address
        unsafe watcher = .allocate(capacity: 1)
        unsafe cev_io_init(watcher, acceptCallback, descriptor, cev_read)
        unsafe watcher.pointee.data = unsafe Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { unsafe watcher.deallocate() }

    func start(_ loop: EventLoop) { unsafe ev_io_start(loop.loop, watcher) }
    func stop(_ loop: EventLoop) { unsafe ev_io_stop(loop.loop, watcher) }

    /// A new descriptor, or -1 and `errno`.
    func accept(_ address: inout sockaddr_in6) -> Int32 {
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        return unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return unsafe accept4(descriptor, pointer, &length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
        }
    }

    fileprivate func isReadable() { acceptor.accept(from: self) }
}

private func acceptCallback(_: OpaquePointer?, _ watcher: UnsafeMutablePointer<ev_io>?, _: Int32) {
    guard let data = unsafe watcher?.pointee.data else { return }
    let watcher = unsafe Unmanaged<AcceptWatcher>.fromOpaque(data).takeUnretainedValue()
    watcher.isReadable()
}
