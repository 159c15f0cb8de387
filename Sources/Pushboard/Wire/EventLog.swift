/// The newest run events, encoded, by their rising number; the oldest go when there are too many.
struct EventLog {
    /// 0 = keep all.
    private let capacity: Int
    private var frames: [[UInt8]] = []
    private var oldest = 1

    init(capacity: Int) { self.capacity = capacity }

    /// The number of the newest event; 0 before the first.
    var head: Int { oldest + frames.count - 1 }

    mutating func append(_ event: RunEvent) -> [UInt8] {
        let frame = JSON.encode(RunMessage(number: head + 1, event: event))
        frames.append(frame)
        // Forget in batches: moving the whole array for each event would cost more than the event.
        if capacity > 0, frames.count >= capacity + max(16, capacity / 4) {
            oldest += frames.count - capacity
            frames.removeFirst(frames.count - capacity)
        }
        return frame
    }

    /// The event after `number`, or `nil` if that is the newest or not kept any more.
    subscript(after number: Int) -> [UInt8]? {
        guard number >= start, number < head else { return nil }
        return frames[number - start]
    }

    /// Whether the event after `number` is kept or still to come.
    func reaches(after number: Int) -> Bool { (start...head).contains(number) }

    /// The number before the oldest event that is kept.
    var start: Int { oldest - 1 }
}
