/// What an idempotency key belongs to: who asked, which button, which intent.
struct KeyScope: Hashable, Sendable {
    let principal: String
    let button: ItemID
    let key: String
}

/// What a key was used for; the same key with anything else is a mistake of the client.
struct Intent: Hashable, Sendable {
    enum Verb: Hashable, Sendable {
        case press
        case retry(RunID)
    }
    let verb: Verb
    /// Equal arguments have equal fingerprints.
    let fingerprint: String
}

/// The accepted keys of a board: kept until `retention` after the run's end, never evicted, at most `capacity`.
struct KeyLedger: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        let intent: Intent
        let run: RunID
        var outcome: Outcome?
    }

    static let retention = Duration.seconds(600)

    /// 0 = none.
    let capacity: Int
    private var entries: [KeyScope: Entry] = [:]
    /// Ended keys in the order of their expiry; all are kept equally long, so that is the order of their ends.
    private var expiries = Expiries<KeyScope>()

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    /// Whether one more key can be kept.
    var hasRoom: Bool { capacity == 0 || entries.count < capacity }

    subscript(scope: KeyScope) -> Entry? { entries[scope] }

    mutating func accept(_ scope: KeyScope, _ intent: Intent, run: RunID) {
        entries[scope] = Entry(intent: intent, run: run)
    }

    mutating func ended(_ scope: KeyScope, _ outcome: Outcome, at now: Instant) {
        guard entries[scope] != nil else { return }
        entries[scope]?.outcome = outcome
        expiries.append(scope, until: now.advanced(by: Self.retention))
    }

    mutating func expire(at now: Instant) {
        while let scope = expiries.popExpired(at: now) { entries[scope] = nil }
    }
}
