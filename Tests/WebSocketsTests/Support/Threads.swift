import Glibc
import Synchronization

/// Runs blocking code on a thread of its own, so that it never holds one of the cooperative pool.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        startThread { continuation.resume(with: Result { try body() }) }
    }
}

func startThread(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    let status = unsafe pthread_create(&thread, nil, threadMain, argument)
    precondition(status == 0, "no thread for the test")
    pthread_detach(thread)
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument = unsafe argument {
        unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    }
    return nil
}

/// One value, given once and waited for by blocking threads.
@safe final class Promise<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func fulfil(_ value: sending Value) {
        self.value.withLock { $0 = value }
        unsafe sem_post(semaphore)
    }

    /// Blocks; only on a thread of `onThread`. Traps after 30 s, because then the test can only hang.
    func wait() -> Value {
        var deadline = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += 30
        while unsafe sem_timedwait(semaphore, &deadline) != 0 {
            precondition(errno == EINTR, "nothing came within 30 s")
        }
        unsafe sem_post(semaphore)
        return value.withLock { $0 }!
    }
}

/// Waits until `condition` holds, looking again every 5 ms, for at most `seconds`. False: it never did.
func eventually(within seconds: Double = 10, _ condition: () -> Bool) -> Bool {
    let end = monotonicSeconds() + seconds
    while !condition() {
        if monotonicSeconds() > end { return false }
        usleep(5_000)
    }
    return true
}

func monotonicSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// How many descriptors this process has open.
func openDescriptors() -> Int {
    (0..<4_096).filter { fcntl(Int32($0), F_GETFD) != -1 }.count
}
