import Glibc
public import Pushboard
import Synchronization

/// Runs a board's jobs when the test says so, on the thread that says so.
public final class ManualHost: BoardExecutor.Host {
    private struct State {
        var jobs: [UnownedJob] = []
        var thread: pthread_t?
    }
    private let state = Mutex(State())

    public init() {}

    public func enqueue(_ job: UnownedJob, on executor: UnownedSerialExecutor) {
        state.withLock { $0.jobs.append(job) }
    }

    public var isCurrent: Bool {
        let here = pthread_self()
        return state.withLock { $0.thread == here }
    }

    /// Jobs that wait.
    public var waitingJobs: Int { state.withLock { $0.jobs.count } }

    /// Runs `body` as the thread of the board.
    public func asHost<Value>(_ body: () throws -> Value) rethrows -> Value {
        let here = pthread_self()
        let before = state.withLock { state in
            defer { state.thread = here }
            return state.thread
        }
        precondition(before == nil, "another thread is the board's just now")
        defer { state.withLock { $0.thread = nil } }
        return try body()
    }

    /// Runs the oldest job that waits. Only inside `asHost`. False: there was none.
    public func runJob(on executor: BoardExecutor) -> Bool {
        precondition(isCurrent, "jobs run on the host's thread")
        guard let next = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else {
            return false
        }
        unsafe next.runSynchronously(on: executor.asUnownedSerialExecutor())
        return true
    }
}
