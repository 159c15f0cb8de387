/// Where runs are kept. The board acknowledges, starts and shows nothing before its store has answered.
///
/// Called on the board's executor, where it must not block; it calls `then` once, from any thread, or at once.
public protocol RunStore: Sendable {
    /// Whether what it keeps survives the server.
    var isDurable: Bool { get }
    /// - Parameter then: receives whether the run is kept durably; a store that cannot says `false`, and the run goes on.
    func accept(_ run: RunRecord, then: @escaping @Sendable (_ durable: Bool) -> Void)
    func end(_ run: RunRecord, _ end: RunEnd, then: @escaping @Sendable () -> Void)
}

/// Keeps nothing beyond the board's own memory and says so.
public struct MemoryRunStore: RunStore {
    public let isDurable = false

    public init() {}

    public func accept(_ run: RunRecord, then: @escaping @Sendable (_ durable: Bool) -> Void) { then(false) }
    public func end(_ run: RunRecord, _ end: RunEnd, then: @escaping @Sendable () -> Void) { then() }
}
