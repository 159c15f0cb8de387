/// Refusals that were given under a key, so that a press that is sent again cannot start late.
///
/// Kept for `retention`, the newest `perButton` of each button.
struct RefusalMemory: Hashable, Sendable {
    static let retention = Duration.seconds(30)

    /// 0 = none.
    let perButton: Int
    private var refusals: [KeyScope: Entry] = [:]
    private var expiries: [ItemID: Expiries<KeyScope>] = [:]

    private struct Entry: Hashable, Sendable {
        let intent: Intent
        let refusal: Refusal
    }

    init(perButton: Int) { self.perButton = perButton }

    var count: Int { refusals.count }

    mutating func recall(_ scope: KeyScope, _ intent: Intent, at now: Instant) -> Refusal? {
        expire(scope.button, at: now)
        return refusals[scope].map { $0.intent == intent ? $0.refusal : Refusal(.keyReused) }
    }

    mutating func remember(_ scope: KeyScope, _ intent: Intent, _ refusal: Refusal, at now: Instant) {
        expire(scope.button, at: now)
        guard refusals.updateValue(Entry(intent: intent, refusal: refusal), forKey: scope) == nil else { return }
        expiries[scope.button, default: Expiries()].append(scope, until: now.advanced(by: Self.retention))
        while perButton > 0, let all = expiries[scope.button], all.count > perButton {
            guard let oldest = expiries[scope.button]?.popFirst() else { return }
            refusals[oldest] = nil
        }
    }

    private mutating func expire(_ button: ItemID, at now: Instant) {
        while let scope = expiries[button]?.popExpired(at: now) { refusals[scope] = nil }
    }
}

/// A queue of things in the order in which they expire.
struct Expiries<Element: Hashable & Sendable>: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let element: Element
        let until: Instant
    }
    private var entries: [Entry] = []
    private var head = 0

    var count: Int { entries.count - head }

    mutating func append(_ element: Element, until: Instant) {
        entries.append(Entry(element: element, until: until))
    }

    mutating func popExpired(at now: Instant) -> Element? {
        guard head < entries.count, entries[head].until <= now else { return nil }
        return popFirst()
    }

    mutating func popFirst() -> Element? {
        guard head < entries.count else { return nil }
        defer {
            head += 1
            if head * 2 > entries.count {
                entries.removeFirst(head)
                head = 0
            }
        }
        return entries[head].element
    }
}
