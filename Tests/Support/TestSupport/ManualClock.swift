public import Pushboard
import Synchronization

/// A clock that moves when the test says so, from any thread.
public final class ManualClock: BoardClock {
    private let milliseconds = Mutex(0)
    /// What the wall clock shows at 0 ms, milliseconds since 1970.
    public let wallStart: Int64

    public init(wallStart: Int64 = 1_700_000_000_000) { self.wallStart = wallStart }

    public var now: Moment {
        let now = milliseconds.withLock { $0 }
        return Moment(instant: Instant(.milliseconds(now)), wall: wallStart + Int64(now))
    }

    public func advance(byMilliseconds count: Int) { milliseconds.withLock { $0 += count } }
}
