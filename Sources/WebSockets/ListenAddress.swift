/// Where to listen: a host and a TCP port, or the path of a unix socket.
public enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// `host` is an IPv4 or IPv6 literal, `localhost` (both loopback addresses) or `*` (every interface, both families).
    /// Port 0: any free one.
    case ip(host: String, port: UInt16)
    case unix(path: String)

    /// Reads `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, `*:8080`, `:8080` (as `*`) or `unix:/run/x.sock`.
    public init(parsing text: String) throws(ListenError) {
        if text.hasPrefix("unix:") {
            self = try .unix(path: Self.unixPath(String(text.dropFirst("unix:".count)), in: text))
        } else {
            let (host, port) = try Self.split(text)
            self = .ip(host: host, port: port)
        }
    }

    public var description: String {
        switch self {
        case .ip(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// Whether only this machine can connect. A unix socket counts as local.
    public var isLoopback: Bool {
        switch self {
        case .unix: true
        case .ip("localhost", _): true
        case .ip(let host, _): IPAddress(parsing: host)?.isLoopback ?? false
        }
    }

    private static func unixPath(_ path: String, in text: String) throws(ListenError) -> String {
        guard !path.isEmpty else { throw bad(text, "name the socket's path, as in unix:/run/pushboard.sock") }
        // sun_path holds 108 bytes with its final zero (unix(7)).
        guard path.utf8.count < 108 else { throw bad(text, "a unix socket's path has at most 107 bytes") }
        guard !path.utf8.contains(0) else { throw bad(text, "the path contains a zero byte") }
        return path
    }

    private static func split(_ text: String) throws(ListenError) -> (String, UInt16) {
        guard let colon = text.lastIndex(of: ":") else { throw bad(text, "add a port, as in 127.0.0.1:8080") }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits) else {
            throw bad(text, "the port is a number from 0 to 65535")
        }
        return (try host(String(text[..<colon]), in: text), port)
    }

    private static func host(_ host: String, in text: String) throws(ListenError) -> String {
        if host.isEmpty || host == "*" { return "*" }
        if host.lowercased() == "localhost" { return "localhost" }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = String(host.dropFirst().dropLast())
            if inner.contains(":"), IPAddress(parsing: inner) != nil { return inner }
        } else if host.contains(":") {
            throw bad(text, "write an IPv6 address in brackets, as in [::1]:8080")
        } else if IPAddress(parsing: host) != nil {
            return host
        }
        throw bad(text, "the host is an IP address, localhost or * (every interface)")
    }

    private static func bad(_ text: String, _ advice: String) -> ListenError {
        ListenError(.badAddress, "cannot listen on \"\(text)\": \(advice)")
    }
}
