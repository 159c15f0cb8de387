import Glibc
public import Pushboard
import WebSockets

extension Board {
    /// Serves the board until it is told to end: by a signal, or by the cancellation of the task.
    ///
    /// Presses are then refused, runs stopped while clients watch, and sockets closed with 1001.
    /// - Parameter ready: called with the addresses of the page once connections are accepted.
    /// - Throws: `ConfigurationError`, `ServerError` or a listening error; each says what to do.
    public nonisolated func serve(
        _ options: ServerOptions, ready: @escaping @Sendable ([ServedAddress]) -> Void = { _ in }
    ) async throws {
        try check()
        let stop = StopSignal()
        let plan = try ServingPlan(options, limits: limits)
        guard executor.claim() else {
            throw ServerError("this board has been served already: make a new one to serve it again.")
        }
        try await withTaskCancellationHandler {
            try await onOwnThread { try plan.run(self, stop: stop, ready: ready) }
        } onCancel: {
            stop.request()
        }
    }
}

/// Where a board can be reached.
public struct ServedAddress: Sendable, Hashable {
    /// For a browser, or `unix:PATH`.
    public let url: String
    /// The link that signs a browser in, where the board asks for its access key.
    public let signIn: String?
}

/// A loop blocks its thread, so it gets one of its own.
private func onOwnThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let work = ThreadWork { continuation.resume(with: Result { try body() }) }
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(work).toOpaque()
        let code = unsafe pthread_create(&thread, nil, runThreadWork, argument)
        guard code == 0 else {
            unsafe Unmanaged<ThreadWork>.fromOpaque(argument).release()
            continuation.resume(throwing: ServerError("the system gives no more threads (error \(code))."))
            return
        }
        pthread_detach(thread)
    }
}

private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThreadWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    unsafe Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}
