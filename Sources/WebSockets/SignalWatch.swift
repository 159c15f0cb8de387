internal import CLibev
internal import Glibc

/// Signals of the process, delivered on an `EventLoop`. Kept until `cancel()`. Loop thread only.
@safe public final class SignalWatch {
    private let loop: OpaquePointer
    private var watchers: [UnsafeMutablePointer<ev_signal>] = unsafe []
    /// `nil` after `cancel`.
    fileprivate private(set) var body: ((Int32) -> Void)?

    fileprivate init(_ loop: OpaquePointer, _ signals: [Int32], _ body: @escaping (Int32) -> Void) {
        unsafe self.loop = unsafe loop
        self.body = body
        Self.unblock(signals)
        for number in signals {
            let watcher = UnsafeMutablePointer<ev_signal>.allocate(capacity: 1)
            unsafe cev_signal_init(watcher, signalCallback, number)
            unsafe watcher.pointee.data = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe ev_signal_start(loop, watcher)
            unsafe watchers.append(watcher)
        }
        _ = unsafe Unmanaged.passRetained(self)
    }

    /// A parent may have started this process with signals blocked.
    private static func unblock(_ signals: [Int32]) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signals { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Gives the signals their former disposition back (libev: the default).
    public func cancel() {
        guard body != nil else { return }
        body = nil
        for index in unsafe watchers.indices {
            unsafe ev_signal_stop(loop, watchers[index])
            unsafe watchers[index].deallocate()
        }
        unsafe watchers = []
        unsafe Unmanaged.passUnretained(self).release()
    }
}

private func signalCallback(_: OpaquePointer?, _ watcher: UnsafeMutablePointer<ev_signal>?, _: Int32) {
    guard let watcher = unsafe watcher, let data = unsafe watcher.pointee.data else { return }
    let watch = unsafe Unmanaged<SignalWatch>.fromOpaque(data).takeUnretainedValue()
    watch.body?(unsafe watcher.pointee.signum)
}

extension EventLoop {
    /// Calls `body` with the number of each of `signals` that the process gets. A signal belongs to one loop at a time.
    public func onSignal(_ signals: [Int32], _ body: @escaping (Int32) -> Void) -> SignalWatch {
        unsafe SignalWatch(loop, signals, body)
    }
}
