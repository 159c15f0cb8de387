/// Bounds of a server. 0 means none, for each of them.
public struct TransportLimits: Sendable, Equatable {
    /// Open connections, HTTP and WebSocket together. One over it is answered 503.
    public var connections = 2_000
    /// Open connections of one client address. One over it is answered 503.
    public var connectionsPerAddress = 64
    /// Upgrades to WebSocket per second and client address. One over it is answered 503 with `Retry-After: 1`.
    public var handshakesPerSecond = 100
    /// Whether `connectionsPerAddress` counts loopback, unix sockets and trusted proxies too.
    public var connectionsPerAddressCountsLocal = false
    /// Whether `handshakesPerSecond` counts loopback, unix sockets and trusted proxies too.
    public var handshakesPerSecondCountsLocal = false
    /// Bytes of one message of a client, all its fragments together. More: `tooBig`, then close 1009.
    public var messageBytes = 65_536
    /// Bytes of a request's first line and header fields. More: 431.
    public var headerBytes = 8_192
    /// Seconds for a whole request, from the accept or from the end of the one before it. Then the connection is closed.
    public var requestSeconds = 10
    /// Bytes of a request's body. More: 413.
    public var bodyBytes = 65_536
    /// Bytes that wait in a connection's outbox. `send` of more overflows.
    public var outboxBytes = 262_144
    /// Refused connections that wait for their 503 at one time; beyond it they are closed at once.
    public var refusalsWaiting = 64

    public init() {}
}
