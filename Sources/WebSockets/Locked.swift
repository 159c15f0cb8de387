internal import Glibc

/// A value that threads take turns with. Unlike `Synchronization.Mutex` it is a lock that the thread sanitizer knows.
@safe final class Locked<Value: Sendable>: Sendable {
    private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// `nonisolated(unsafe)`: touched only between the lock and the unlock of `withLock`.
    private nonisolated(unsafe) var value: Value

    init(_ value: Value) {
        unsafe self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return unsafe body(&value)
    }
}
