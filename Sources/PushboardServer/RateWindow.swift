import Pushboard

/// Counts what happened within the last `length`; at most `limit` times in it.
struct RateWindow {
    /// 0 = no limit.
    let limit: Int
    let length: Duration
    private var times: [Duration] = []
    private var oldest = 0

    init(limit: Int, per length: Duration) {
        self.limit = limit
        self.length = length
    }

    /// Counts one more, or says how long to wait until it fits.
    mutating func admit(at now: Duration) -> Verdict {
        guard limit > 0 else { return .admitted }
        if times.count == limit {
            let free = times[oldest] + length
            guard free <= now else { return .wait(free - now) }
            times[oldest] = now
            oldest = (oldest + 1) % limit
        } else {
            times.append(now)
        }
        return .admitted
    }

    /// Whether one more would have to wait.
    func isFull(at now: Duration) -> Bool {
        limit > 0 && times.count == limit && times[oldest] + length > now
    }

    enum Verdict: Hashable {
        case admitted
        case wait(Duration)
    }
}
