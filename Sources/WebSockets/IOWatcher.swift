internal import CLibev

/// Watches one descriptor for reading or writing, on the loop's thread, until it is stopped.
@safe final class IOWatcher {
    enum Interest { case reading, writing }

    private let loop: EventLoop
    private let descriptor: Int32
    private let watcher: UnsafeMutablePointer<ev_io>
    private var interest: Interest?
    /// Called on each event.
    var body: () -> Void = {}

    /// Watches nothing yet.
    init(_ loop: EventLoop, _ descriptor: Int32) {
        self.loop = loop
        self.descriptor = descriptor
        unsafe watcher = .allocate(capacity: 1)
        unsafe cev_io_init(watcher, ioCallback, descriptor, cev_read)
        unsafe watcher.pointee.data = unsafe Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        stop()
        unsafe watcher.deallocate()
    }

    /// From now on `body` is called while the descriptor can be read, or written.
    func watch(_ interest: Interest) {
        guard interest != self.interest else { return }
        stop()
        self.interest = interest
        unsafe cev_io_set(watcher, descriptor, interest == .reading ? cev_read : cev_write)
        unsafe ev_io_start(loop.loop, watcher)
    }

    func stop() {
        guard interest != nil else { return }
        interest = nil
        unsafe ev_io_stop(loop.loop, watcher)
    }
}

private func ioCallback(_: OpaquePointer?, _ watcher: UnsafeMutablePointer<ev_io>?, _: Int32) {
    guard let data = unsafe watcher?.pointee.data else { return }
    // Held until the call returns, because the call may drop the last reference.
    let watcher = unsafe Unmanaged<IOWatcher>.fromOpaque(data).takeUnretainedValue()
    watcher.body()
}
