internal import CLibev
internal import Glibc
import Synchronization

/// What the owner of a loop does between two waits. All calls come on the loop's thread.
public protocol TurnHandler: AnyObject {
    /// Sends what changed. Called after input, after each job and after due timers; must be cheap when nothing changed.
    func flush()
    /// The instant of `EventLoop.now` at which `runDueTimers` is wanted; `nil`: never.
    var nextDeadline: Duration? { get }
    /// Runs everything that is due at `now`.
    func runDueTimers(now: Duration)
}

/// One thread, one libev loop, and the serial executor of whatever actor lives on it.
///
/// A turn: wait for input and handle it, flush; the jobs that waited, flush after each; due timers, flush.
///
/// `@unchecked Sendable`: `loop`, `wake`, `deadlineTimer` and `handler` are touched only on the thread inside `run`
/// (before `run` and after it, by the one thread that owns the loop), except `ev_async_send(loop, wake)`, which libev
/// documents as safe from any thread. Everything that other threads share lies in `queue`, `thread` and `stopped`.
@safe public final class EventLoop: SerialExecutor, @unchecked Sendable {
    @safe enum Work {
        case job(UnownedJob, on: UnownedSerialExecutor)
        case closure(@Sendable () -> Void)
    }

    struct Queue {
        var work: [Work] = []
        /// A wake is on its way, so that a burst of jobs costs one.
        var wakeSent = false
    }

    let loop: OpaquePointer
    private let wake: UnsafeMutablePointer<ev_async>
    private let deadlineTimer: UnsafeMutablePointer<ev_timer>
    private var armedDeadline: Duration?
    private let queue = Locked(Queue())
    /// The thread inside `run`; 0: none.
    private let thread = Atomic<UInt>(0)
    private let stopped = Atomic<Bool>(false)

    /// Throws `EventLoopError` if the system has no usable backend (no descriptors left).
    public init() throws(EventLoopError) {
        guard let loop = unsafe ev_loop_new(cev_loop_flags) else { throw EventLoopError() }
        unsafe self.loop = loop
        unsafe wake = .allocate(capacity: 1)
        unsafe cev_async_init(wake, wakeCallback)
        unsafe ev_async_start(loop, wake)
        unsafe deadlineTimer = .allocate(capacity: 1)
        unsafe cev_timer_init(deadlineTimer, deadlineCallback, 0, 0)
    }

    deinit {
        unsafe ev_timer_stop(loop, deadlineTimer)
        unsafe ev_async_stop(loop, wake)
        unsafe deadlineTimer.deallocate()
        unsafe wake.deallocate()
        unsafe ev_loop_destroy(loop)
    }

    /// Whether the caller is on the loop's thread while `run` is on.
    public var isCurrent: Bool { thread.load(ordering: .acquiring) == UInt(cev_current_thread()) }

    /// CLOCK_MONOTONIC.
    public var now: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Runs turns on the calling thread until `stop()`. One call at a time; work queued before it runs in the first turn.
    public func run(_ handler: any TurnHandler) {
        let (entered, _) = thread.compareExchange(
            expected: 0, desired: UInt(cev_current_thread()), ordering: .acquiringAndReleasing)
        precondition(entered, "EventLoop.run was called while the loop runs")
        while !stopped.load(ordering: .acquiring) { turn(handler) }
        stopped.store(false, ordering: .releasing)
        thread.store(0, ordering: .releasing)
    }

    /// Ends `run` after the current turn. Any thread.
    public func stop() {
        stopped.store(true, ordering: .releasing)
        unsafe ev_async_send(loop, wake)
    }

    private func turn(_ handler: any TurnHandler) {
        let waits = queue.withLock { $0.work.isEmpty }
        _ = unsafe ev_run(loop, waits ? cev_run_once : cev_run_nowait)
        handler.flush()
        runWork(handler)
        if let deadline = handler.nextDeadline {
            let now = now
            if deadline <= now {
                handler.runDueTimers(now: now)
                handler.flush()
            }
        }
        arm(handler.nextDeadline)
    }

    /// Runs what waits now; what that work enqueues waits for the next turn, so that input is never starved.
    private func runWork(_ handler: any TurnHandler) {
        let batch = queue.withLock { queue in
            queue.wakeSent = false
            return exchange(&queue.work, with: [])
        }
        for work in batch {
            switch work {
            case .job(let job, let executor): unsafe job.runSynchronously(on: executor)
            case .closure(let body): body()
            }
            handler.flush()
        }
    }

    private func arm(_ deadline: Duration?) {
        let fired = unsafe deadlineTimer.pointee.active == 0
        if deadline == armedDeadline && !(fired && deadline != nil) { return }
        armedDeadline = deadline
        unsafe ev_timer_stop(loop, deadlineTimer)
        guard let deadline else { return }
        unsafe ev_now_update(loop)
        unsafe cev_timer_set(deadlineTimer, max(0, (deadline - now).seconds), 0)
        unsafe ev_timer_start(loop, deadlineTimer)
    }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) {
        add(unsafe .job(UnownedJob(job), on: asUnownedSerialExecutor()))
    }

    /// For an executor that wraps this loop: `job` runs here, as `executor`. Any thread.
    public func enqueue(_ job: UnownedJob, on executor: UnownedSerialExecutor) {
        add(unsafe .job(job, on: executor))
    }

    /// Runs `body` on the loop, in the order of calls, flushed like a job. Any thread.
    public func perform(_ body: @escaping @Sendable () -> Void) {
        add(.closure(body))
    }

    private func add(_ work: Work) {
        let here = isCurrent
        let wakes = queue.withLock { queue in
            queue.work.append(work)
            if here || queue.wakeSent { return false }
            queue.wakeSent = true
            return true
        }
        if wakes { unsafe ev_async_send(loop, wake) }
    }

    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    public func checkIsolated() {
        precondition(isCurrent, "this code belongs to the event loop's thread")
    }
}

/// The system refused a loop: no event backend or no descriptors left.
public struct EventLoopError: Error, CustomStringConvertible {
    public var description: String { "cannot create the event loop: raise the limit of open files (ulimit -n)" }
}

private func wakeCallback(_: OpaquePointer?, _: UnsafeMutablePointer<ev_async>?, _: Int32) {}
private func deadlineCallback(_: OpaquePointer?, _: UnsafeMutablePointer<ev_timer>?, _: Int32) {}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
