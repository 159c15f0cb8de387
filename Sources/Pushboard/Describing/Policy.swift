/// What a press of a busy button does.
public enum Policy: Hashable, Sendable {
    /// It is refused, and the presser learns what runs and who started it.
    case reject
    /// It waits for its turn.
    case queue(Queueing = Queueing())
    /// The run under way is stopped; the new one starts when the old action has ended.
    case restart
    /// It runs at once beside the others, up to `max` of them.
    case parallel(max: Int = 8)
}

/// How presses wait.
public struct Queueing: Hashable, Sendable {
    /// Which of the waiting presses are kept.
    public enum Keeping: Hashable, Sendable {
        /// Up to `max`, first in, first out; further presses are refused.
        case all(max: Int)
        /// The one that waits; further presses are refused.
        case first
        /// The newest, which displaces the one that waits.
        case last
    }

    /// What a failure means for those that wait.
    public enum AfterFailure: Hashable, Sendable {
        case goOn
        /// They are cancelled.
        case flush
    }

    public var keeping: Keeping
    public var afterFailure: AfterFailure

    public init(keeping: Keeping = .all(max: 16), afterFailure: AfterFailure = .goOn) {
        self.keeping = keeping
        self.afterFailure = afterFailure
    }

    /// How many may wait.
    var capacity: Int {
        switch keeping {
        case .all(let max): max
        case .first, .last: 1
        }
    }
}

/// At most `count` accepted presses within any `per`, whoever presses.
public struct RateLimit: Hashable, Sendable {
    public let count: Int
    public let per: Duration

    public init(_ count: Int, per: Duration) {
        self.count = count
        self.per = per
    }
}

/// Trying again by itself after a failure that may pass.
public struct AutomaticRetry: Hashable, Sendable {
    /// Attempts in all; 1 = no retry.
    public var attempts: Int

    public init(attempts: Int = 1) { self.attempts = attempts }

    /// The time before the attempt after attempt `number`: 1 s, doubling, at most 30 s, ± 20 % so that buttons that
    /// failed together do not try again together.
    /// - Parameter random: 0…1
    func delay(afterAttempt number: Int, random: Double) -> Duration {
        let doubled = min(1000 << min(max(0, number - 1), 5), 30_000)
        // Whole milliseconds: a deadline between two would be found not yet due by clocks that count them.
        return .milliseconds(Int((Double(doubled) * (0.8 + 0.4 * random)).rounded()))
    }
}
