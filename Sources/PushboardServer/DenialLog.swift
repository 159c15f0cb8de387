import WebSockets

/// Counts every denial and logs each kind once a minute, so that an attacker cannot fill the disk.
struct DenialLog {
    private static let interval = Duration.seconds(60)

    private struct Entry {
        var total = 0
        var silent = 0
        var loggedAt: Duration?
    }
    private var entries: [Denial.Kind: Entry] = [:]

    /// How often a kind has been denied.
    func total(_ kind: Denial.Kind) -> Int { entries[kind]?.total ?? 0 }

    /// Counts one. Returns how many have come since the last line if a line is due.
    mutating func count(_ kind: Denial.Kind, at now: Duration) -> Int? {
        var entry = entries[kind] ?? Entry()
        defer { entries[kind] = entry }
        entry.total += 1
        entry.silent += 1
        if let last = entry.loggedAt, now < last + Self.interval { return nil }
        entry.loggedAt = now
        defer { entry.silent = 0 }
        return entry.silent
    }
}
