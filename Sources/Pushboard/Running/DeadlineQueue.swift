/// Which button has something due next: a binary heap in which outdated entries die when they surface.
struct DeadlineQueue {
    private struct Entry { let due: Instant, button: ItemID }
    private var heap: [Entry] = []
    private var current: [ItemID: Instant] = [:]

    /// Sets or clears the deadline of a button.
    mutating func set(_ button: ItemID, _ due: Instant?) {
        guard current[button] != due else { return }
        current[button] = due
        if let due { push(Entry(due: due, button: button)) }
        if heap.count > 64, heap.count > 4 * current.count { rebuild() }
    }

    var next: Instant? {
        mutating get {
            dropOutdated()
            return heap.first?.due
        }
    }

    /// The next button that is due at `now`; its deadline is cleared.
    mutating func popDue(at now: Instant) -> ItemID? {
        guard let next, next <= now, let first = heap.first else { return nil }
        current[first.button] = nil
        removeFirst()
        return first.button
    }

    private mutating func dropOutdated() {
        while let first = heap.first, current[first.button] != first.due { removeFirst() }
    }

    private mutating func rebuild() {
        heap = current.map { Entry(due: $0.value, button: $0.key) }.sorted { $0.due < $1.due }
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, heap[child].due < heap[(child - 1) / 2].due {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let least = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }.min { heap[$0].due < heap[$1].due }
            guard let least, heap[least].due < heap[parent].due else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
