/// Who may send requests.
public struct RequestPolicy: Sendable {
    /// Names besides the built-in ones: loopback names, IP literals, `.local`, `.home.arpa`, single labels.
    public var allowedHosts: [HostRule] = []
    /// This machine's own name, always allowed.
    public var machineName: String?
    /// Proxies whose `X-Forwarded-*` fields are believed.
    public var trustedProxies: [CIDR] = []
    /// Whether the other end of a unix socket is a trusted proxy.
    public var trustsUnixPeers = false
    /// The methods that reach the delegate; others are answered 405.
    public var methods = ["GET", "HEAD"]
    /// The subprotocol of this server; `nil`: none, and clients that offer any are refused.
    public var subprotocol: String?

    public init() {}

    func trusts(_ peer: IPAddress?) -> Bool {
        guard let peer else { return trustsUnixPeers }
        return trustedProxies.contains { $0.contains(peer) }
    }
}

/// One value of `--host`: a whole name, and a port that is compared only if it is given.
public struct HostRule: Sendable, Hashable, CustomStringConvertible {
    public let name: String
    public let port: UInt16?

    /// Reads `NAME[:PORT]`; `nil`: malformed.
    public init?(parsing text: String) {
        guard let host = HostField(parsing: text) else { return nil }
        name = host.name
        port = host.port
    }

    public var description: String { port.map { "\(name):\($0)" } ?? name }

    func allows(_ host: HostField) -> Bool { host.name == name && (port == nil || host.port == port) }
}
