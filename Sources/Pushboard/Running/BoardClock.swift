import FoundationEssentials

/// What tells a board the time; tests bring their own.
public protocol BoardClock: Sendable {
    var now: Moment { get }
}

/// CLOCK_MONOTONIC for durations, the wall clock for what people read.
public struct SystemClock: BoardClock {
    private static let start = SuspendingClock.now

    public init() {}

    public var now: Moment {
        Moment(
            instant: Instant(Self.start.duration(to: .now)),
            wall: Int64((Date.now.timeIntervalSince1970 * 1000).rounded()))
    }
}
