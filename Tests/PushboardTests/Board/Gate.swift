/// Holds an action until the test opens it, or its task is cancelled.
struct Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    /// - Throws: `CancellationError` if its task is cancelled.
    func pass() async throws {
        for await _ in stream {}
        try Task.checkCancellation()
    }
}
