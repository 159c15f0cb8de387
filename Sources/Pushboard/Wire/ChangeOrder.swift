/// All items of a board in the order of their last change (rule 2 of the protocol).
///
/// Each change gives its item the next number. Who has been sent everything up to number n lacks exactly the items that
/// stand behind it, each once and in its newest state.
struct ChangeOrder {
    private struct Entry { let seq: Int, item: ItemID }
    /// Rising in `seq`; an entry is outdated if its item has changed since.
    private var entries: [Entry] = []
    private var current: [ItemID: Int] = [:]
    /// The number of the newest change.
    private(set) var head = 0

    mutating func touch(_ item: ItemID) {
        head += 1
        current[item] = head
        entries.append(Entry(seq: head, item: item))
        if entries.count > 64, entries.count > 2 * current.count {
            entries.removeAll { current[$0.item] != $0.seq }
        }
    }

    /// The number of the item's last change.
    subscript(item: ItemID) -> Int? { current[item] }

    /// The items that changed after `seq`, in the order of their changes.
    func items(after seq: Int) -> some Sequence<(seq: Int, item: ItemID)> {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].seq > seq { high = middle } else { low = middle + 1 }
        }
        return entries[low...].lazy.filter { current[$0.item] == $0.seq }.map { ($0.seq, $0.item) }
    }
}
