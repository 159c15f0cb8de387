/// A point on the monotonic clock (CLOCK_MONOTONIC: time in which the machine was suspended does not count).
public struct Instant: Hashable, Comparable, Sendable, InstantProtocol {
    /// Time since an arbitrary start.
    public let elapsed: Duration

    public init(_ elapsed: Duration) { self.elapsed = elapsed }

    public func advanced(by duration: Duration) -> Instant { Instant(elapsed + duration) }
    public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
}

/// What an event brings along instead of the machine reading clocks: `instant` times everything, `wall`
/// (milliseconds since 1970) is only shown.
public struct Moment: Hashable, Sendable {
    public let instant: Instant
    public let wall: Int64

    public init(instant: Instant, wall: Int64) {
        self.instant = instant
        self.wall = wall
    }
}

extension Duration {
    /// Whole milliseconds, rounded to the nearest, at least 0, at most what a JSON number of the wire holds exactly.
    package var milliseconds: Int {
        let parts = components
        guard parts.seconds >= 0 else { return 0 }
        guard parts.seconds < Self.longestSeconds else { return Int(Self.longestSeconds) * 1000 }
        let exact = parts.seconds * 1000 + (parts.attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
        return Int(max(0, exact))
    }

    /// About 285 000 years; times 1000 it stays below 2⁵³ (RFC 8259, section 6).
    private static let longestSeconds: Int64 = 9_000_000_000_000
}
