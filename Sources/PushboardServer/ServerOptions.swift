/// How a board is served.
public struct ServerOptions: Sendable {
    /// `HOST:PORT` or `unix:PATH`, each. Port 0 takes a free one.
    public var listen: [String]
    /// The folder of the page.
    public var publicFolder: String
    /// The sub-path under which a proxy shows the board; `/` if there is none.
    public var base = "/"
    /// Names, as `NAME` or `NAME:PORT`, under which the board may be reached besides the built-in ones.
    public var hosts: [String] = []
    /// Addresses or ranges (CIDR) of proxies whose `X-Forwarded-*` headers are believed.
    public var trustedProxies: [String] = []
    /// Where the access key is kept; `nil` = the user's own state folder.
    public var stateFolder: String?
    /// Serve whoever can connect, beyond this machine too, without an access key.
    public var allowsUnauthenticated = false
    /// End gracefully on SIGTERM and SIGINT; a second one does not wait for runs.
    public var handlesSignals = true

    public init(listen: [String], publicFolder: String = "Public") {
        self.listen = listen
        self.publicFolder = publicFolder
    }

    public init(host: String, port: Int, publicFolder: String = "Public") {
        self.init(listen: [host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"], publicFolder: publicFolder)
    }
}

/// A board cannot be served; one line that says what to do.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
