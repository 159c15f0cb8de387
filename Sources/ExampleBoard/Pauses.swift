import FoundationEssentials

/// Works for as long as it says, unless it is cancelled.
func pause(_ length: Duration) async throws { try await Task.sleep(for: length) }

/// Works for six seconds, whatever anybody says.
func stubbornPause() async throws {
    // A task of its own does not inherit the cancellation.
    await Task.detached { try? await Task.sleep(for: .seconds(6)) }.value
}

/// A failure that has words for people.
struct ExampleError: LocalizedError {
    let errorDescription: String?

    init(_ text: String) { errorDescription = text }
}
