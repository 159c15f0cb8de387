import Synchronization

/// Runs a board's jobs on the thread that serves it. Until a host is attached, jobs wait.
public final class BoardExecutor: SerialExecutor {
    /// The owner of that thread.
    public protocol Host: AnyObject, Sendable {
        /// Has the job run on the host's thread with `job.runSynchronously(on: executor)`. Called from any thread.
        func enqueue(_ job: UnownedJob, on executor: UnownedSerialExecutor)
        /// Whether the caller is on the host's thread.
        var isCurrent: Bool { get }
    }

    private struct State {
        var host: (any Host)?
        var waiting: [UnownedJob] = []
        var isClaimed = false
    }
    private let state = Mutex(State())

    public init() {}

    /// Whether the caller is the first that wants to serve the board; what it has shut down does not come back.
    package func claim() -> Bool {
        state.withLock { state in
            defer { state.isClaimed = true }
            return !state.isClaimed
        }
    }

    /// From now on `host` runs the jobs. A board is served once.
    public func attach(_ host: any Host) {
        let waiting = state.withLock { state in
            precondition(state.host == nil, "A board is served by one server at a time.")
            state.host = host
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in waiting { unsafe host.enqueue(job, on: asUnownedSerialExecutor()) }
    }

    public func detach() { state.withLock { $0.host = nil } }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let host = state.withLock { state in
            if state.host == nil { state.waiting.append(job) }
            return state.host
        }
        unsafe host?.enqueue(job, on: asUnownedSerialExecutor())
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Whether the caller runs where the board's jobs run.
    var isCurrent: Bool { state.withLock { $0.host }?.isCurrent ?? false }

    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    public func checkIsolated() {
        precondition(isCurrent, "This has to run on the thread that serves the board.")
    }
}
