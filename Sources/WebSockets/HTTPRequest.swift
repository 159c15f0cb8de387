/// A request that passed the gate.
public struct HTTPRequest: Sendable {
    public struct Parameter: Sendable, Equatable {
        public let name: String
        /// Empty if there was no `=`.
        public let value: String
    }

    /// In capitals.
    public internal(set) var method: String
    /// Decoded once; begins with `/`, without `.` and `..` segments, control bytes or backslashes.
    public internal(set) var path: String
    /// As it was sent, without the query.
    public internal(set) var rawPath: String
    /// The decoded parameters of the query, in their order.
    public internal(set) var query: [Parameter]
    /// The name of the page's own origin, in lower case; an IPv6 literal in brackets.
    public internal(set) var host: String
    /// The port of `Host`, if it names one.
    public internal(set) var port: UInt16?
    /// The page's origin, checked against `Origin` if that was sent; `nil`: no such field (no browser, or a plain GET).
    public internal(set) var origin: String?
    public internal(set) var cookie: String?
    public internal(set) var authorization: String?
    public internal(set) var ifNoneMatch: String?
    public internal(set) var acceptsGzip = false
    public internal(set) var secFetchSite: String?
    public internal(set) var contentType: String?
    public internal(set) var userAgent: String?
    /// Subprotocols that the client offered.
    public internal(set) var subprotocols: [String] = []
    public internal(set) var peer: PeerAddress
    /// The listener that took the connection.
    public internal(set) var listener: ListenAddress
    public internal(set) var isUpgrade = false
    /// Whether a trusted proxy said that the client spoke https to it.
    public internal(set) var isSecure = false
    /// Whole; empty without one.
    public internal(set) var body: [UInt8] = []
    /// Bytes of the body that `Content-Length` announced.
    var contentLength = 0
    /// Of an upgrade (RFC 6455 4.1).
    var webSocketKey = ""
    /// HTTP/1.0, or `Connection: close`.
    var wantsClose = false

    /// The value of the first parameter called `name`.
    public func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
