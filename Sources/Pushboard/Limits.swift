/// Every bound of a board and its server in one place; 0 = none. Settable by `--limit NAME=VALUE`.
public struct Limits: Hashable, Sendable {
    /// Sockets that are open at once.
    public var connections = 2_000
    /// Sockets per client address. Loopback and trusted proxies count only if `countsLocal` names it.
    public var connectionsPerAddress = 64
    /// New WebSockets per second and client address; like `connectionsPerAddress` for loopback.
    public var handshakesPerSecond = 100
    /// Presses and retries per second and connection.
    public var pressesPerSecond = 50
    /// The longest message of a client.
    public var messageBytes = 65_536
    /// The longest request head.
    public var headerBytes = 8_192
    /// The longest request body.
    public var bodyBytes = 65_536
    /// How long a client may take for one request, head and body.
    public var requestSeconds = 10
    /// What may wait for a connection that does not read; state and run events of subscribers wait without space.
    public var outboxBytes = 262_144
    /// Accepted idempotency keys of a board.
    public var keys = 65_536
    /// Remembered refusals of a button.
    public var refusalsPerButton = 1_024
    /// Requests that wait for the same run to be stored.
    public var waitersPerRun = 64
    /// Run events kept for subscribers that come back.
    public var runEvents = 4_096
    /// Malformed messages within 10 s after which a connection is closed.
    public var malformedMessages = 20
    /// Limits that a person set, which therefore count loopback and trusted proxies too.
    public private(set) var countsLocal: Set<String> = []

    public init() {}

    private static var names: [(String, WritableKeyPath<Limits, Int>)] {
        [
            ("connections", \.connections), ("connectionsPerAddress", \.connectionsPerAddress),
            ("handshakesPerSecond", \.handshakesPerSecond), ("pressesPerSecond", \.pressesPerSecond),
            ("messageBytes", \.messageBytes), ("headerBytes", \.headerBytes), ("bodyBytes", \.bodyBytes),
            ("requestSeconds", \.requestSeconds), ("outboxBytes", \.outboxBytes), ("keys", \.keys),
            ("refusalsPerButton", \.refusalsPerButton), ("waitersPerRun", \.waitersPerRun),
            ("runEvents", \.runEvents), ("malformedMessages", \.malformedMessages),
        ]
    }

    /// The names that `set` knows, in the order of this page.
    public static var allNames: [String] { names.map(\.0) }

    /// Sets a limit by its name. `false` if there is none of that name or the value is negative.
    public mutating func set(_ name: String, to value: Int) -> Bool {
        guard value >= 0, let path = Self.names.first(where: { $0.0 == name })?.1 else { return false }
        self[keyPath: path] = value
        countsLocal.insert(name)
        return true
    }
}
