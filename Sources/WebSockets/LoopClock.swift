internal import CLibev

extension EventLoop {
    /// The loop's time for asynchronous code on any thread.
    public var clock: Clock { Clock(loop: self) }

    /// CLOCK_MONOTONIC, with sleepers kept as timers of the loop.
    public struct Clock: _Concurrency.Clock {
        public struct Instant: InstantProtocol {
            /// Time since the clock's start (boot).
            public var offset: Duration
            public init(offset: Duration) { self.offset = offset }
            public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
            public func duration(to other: Instant) -> Duration { other.offset - offset }
            public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        }

        let loop: EventLoop

        public var now: Instant { Instant(offset: loop.now) }
        public var minimumResolution: Duration { .nanoseconds(1) }

        /// Sleeps until `deadline` while the loop runs; throws `CancellationError` at once if the task is cancelled.
        public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
            let sleeper = Sleeper()
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    guard sleeper.start(continuation) else { return }
                    loop.perform { sleeper.arm(on: loop, until: deadline.offset) }
                }
            } onCancel: {
                sleeper.finish(throwing: CancellationError())
                loop.perform { sleeper.disarm() }
            }
        }
    }
}

/// One sleeping task: whoever comes first, the timer or the cancellation, resumes it.
private final class Sleeper: Sendable {
    private enum State {
        case new
        case sleeping(CheckedContinuation<Void, any Error>)
        case done
    }
    private let state = Locked(State.new)
    /// `nonisolated(unsafe)`: touched only on the loop's thread, by `arm` and `disarm`.
    private nonisolated(unsafe) var timer: LoopTimer?

    /// False if the task was cancelled before it slept (then it has been resumed).
    func start(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let started = state.withLock { state in
            guard case .new = state else { return false }
            state = .sleeping(continuation)
            return true
        }
        if !started { continuation.resume(throwing: CancellationError()) }
        return started
    }

    func arm(on loop: EventLoop, until deadline: Duration) {
        guard state.withLock({ if case .sleeping = $0 { true } else { false } }) else { return }
        unsafe timer = loop.schedule(at: deadline) { [weak self] in self?.finish(throwing: nil) }
    }

    /// A cancelled sleeper leaves nothing on the loop.
    func disarm() {
        unsafe timer?.cancel()
        unsafe timer = nil
    }

    func finish(throwing error: (any Error)?) {
        let previous = state.withLock { state in exchange(&state, with: .done) }
        guard case .sleeping(let continuation) = previous else { return }
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }
}
