internal import CLibev

/// One timer on an `EventLoop`. It fires once unless it is cancelled. Loop thread only.
@safe public final class LoopTimer {
    private let loop: OpaquePointer
    private let watcher: UnsafeMutablePointer<ev_timer>
    private var body: (() -> Void)?
    private let repeats: Bool

    init(_ loop: OpaquePointer, after: Double, every: Double = 0, _ body: @escaping () -> Void) {
        unsafe self.loop = unsafe loop
        self.body = body
        repeats = every > 0
        unsafe watcher = .allocate(capacity: 1)
        unsafe cev_timer_init(watcher, timerCallback, max(0, after), every)
        unsafe watcher.pointee.data = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe ev_now_update(loop)
        unsafe ev_timer_start(loop, watcher)
    }

    deinit { unsafe watcher.deallocate() }

    /// Whether it will still fire.
    public var isActive: Bool { body != nil }

    /// Nothing fires after this. Calling it twice, or after the timer fired, does nothing.
    public func cancel() {
        guard body != nil else { return }
        body = nil
        unsafe ev_timer_stop(loop, watcher)
        unsafe Unmanaged.passUnretained(self).release()
    }

    fileprivate func fire() {
        let body = body
        if !repeats { cancel() }
        body?()
    }
}

private func timerCallback(_: OpaquePointer?, _ watcher: UnsafeMutablePointer<ev_timer>?, _: Int32) {
    guard let data = unsafe watcher?.pointee.data else { return }
    let timer = unsafe Unmanaged<LoopTimer>.fromOpaque(data).takeUnretainedValue()
    timer.fire()
}

extension EventLoop {
    /// Calls `body` once at `instant` of `now`, or in the next turn if that has passed. Loop thread only.
    public func schedule(at instant: Duration, _ body: @escaping () -> Void) -> LoopTimer {
        unsafe LoopTimer(loop, after: (instant - now).seconds, body)
    }

    func every(_ interval: Duration, _ body: @escaping () -> Void) -> LoopTimer {
        unsafe LoopTimer(loop, after: interval.seconds, every: interval.seconds, body)
    }
}
