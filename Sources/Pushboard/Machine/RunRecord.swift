/// How a run ended.
public enum Outcome: String, Hashable, Sendable, Codable {
    case succeeded, failed, cancelled, superseded
    /// Nobody saw the end: the server stopped while it ran.
    case unknown
}

/// Why a run failed, as a person and a script read it.
public struct RunError: Error, Hashable, Sendable {
    /// One of the wire's codes: `thrown`, `timeout`, `interrupted`, `internal`.
    public let code: String
    /// Plain text, at most 4 KiB of UTF-8.
    public let message: String
    /// Whether the same action may be tried again.
    public let retryable: Bool

    public init(code: String, message: String, retryable: Bool = true) {
        self.code = code
        self.message = message.capped(atBytes: Self.longestMessage)
        self.retryable = retryable
    }

    private static let longestMessage = 4096
}

extension String {
    /// The longest beginning of whole characters that fits, marked with `…` where something was cut.
    func capped(atBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let mark = "…"
        var kept = 0
        var end = startIndex
        for index in indices {
            let length = self[index].utf8.count
            guard kept + length + mark.utf8.count <= limit else { break }
            kept += length
            end = self.index(after: index)
        }
        return self[..<end] + mark
    }
}

/// The end of a run: what is stored, then reported, then shown.
public struct RunEnd: Hashable, Sendable {
    public let outcome: Outcome
    public var error: RunError?
    /// It succeeded although it had been told to stop: the real outcome wins.
    public var late = false
    /// The run is over but its action still runs and keeps the slot.
    public var orphaned = false

    package init(_ outcome: Outcome, error: RunError? = nil, late: Bool = false, orphaned: Bool = false) {
        self.outcome = outcome
        self.error = error
        self.late = late
        self.orphaned = orphaned
    }
}

/// What a store keeps of a run, fixed when the press is accepted.
public struct RunRecord: Hashable, Sendable {
    public let run: RunID
    public let button: ItemID
    /// The run of the first attempt; the run itself if this is the first.
    public let root: RunID
    /// From 1, counted over the root.
    public let attempt: Int
    /// Who pressed, as shown to others.
    public let by: String
    /// The public id of the connection that pressed.
    public let client: String
    /// The idempotency key, if the press brought one.
    public let key: String?
    /// The scope of the key: who is signed in.
    public let principal: String

    package init(
        run: RunID, button: ItemID, root: RunID, attempt: Int, by: String, client: String, key: String?,
        principal: String
    ) {
        self.run = run
        self.button = button
        self.root = root
        self.attempt = attempt
        self.by = by
        self.client = client
        self.key = key
        self.principal = principal
    }
}
