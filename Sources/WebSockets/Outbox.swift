/// Frames that wait for a socket, in order, bounded in bytes.
package struct Outbox {
    /// 0: none.
    let limit: Int
    package private(set) var byteCount = 0
    private var frames: [SharedFrame] = []
    private var first = 0

    package init(limit: Int) { self.limit = limit }

    package var isEmpty: Bool { first == frames.count }

    /// False, and nothing kept, if the frame would exceed the limit.
    package mutating func append(_ frame: SharedFrame) -> Bool {
        guard limit == 0 || byteCount + frame.count <= limit else { return false }
        byteCount += frame.count
        frames.append(frame)
        return true
    }

    package mutating func removeFirst() -> SharedFrame? {
        guard !isEmpty else { return nil }
        let frame = frames[first]
        byteCount -= frame.count
        first += 1
        if isEmpty { removeAll() } else if first >= 32, first * 2 >= frames.count { compact() }
        return frame
    }

    package mutating func removeAll() {
        frames = []
        first = 0
        byteCount = 0
    }

    private mutating func compact() {
        frames.removeFirst(first)
        first = 0
    }
}
