/// One run of `RequestGate`: each rule is a method that passes or throws the refusal.
struct RequestCheck {
    let head: RequestHead
    let arrival: RequestGate.Arrival
    let policy: RequestPolicy
    let limits: TransportLimits

    func run() throws(RequestGate.Refusal) -> HTTPRequest {
        try version()
        let host = try host()
        let bodyBytes = try bodyBytes()
        guard policy.methods.contains(head.method) else { throw methodNotAllowed }
        guard let target = RequestTarget(parsing: head.target, host: head.values("host")[0]) else {
            throw refusal(.target, 400, "The request's address is malformed.")
        }
        var request = HTTPRequest(
            method: head.method, path: target.path, rawPath: target.rawPath, query: target.query, host: host.name,
            port: host.port, peer: peer, listener: arrival.listener)
        fill(&request, bodyBytes)
        let isUpgrade = try isUpgrade()
        if isUpgrade || !isSafe { try sameOrigin(host, isUpgrade) }
        if isUpgrade { try upgrade(&request) }
        return request
    }

    private var isSafe: Bool { head.method == "GET" || head.method == "HEAD" }

    private func fill(_ request: inout HTTPRequest, _ bodyBytes: Int) {
        request.origin = one("origin")
        request.cookie = joined("cookie", "; ")
        request.authorization = one("authorization")
        request.ifNoneMatch = joined("if-none-match", ", ")
        request.acceptsGzip = acceptsGzip
        request.secFetchSite = one("sec-fetch-site")
        request.contentType = one("content-type")
        request.userAgent = one("user-agent")
        request.subprotocols = subprotocols
        request.contentLength = bodyBytes
        request.wantsClose = head.version == "HTTP/1.0" || connectionTokens.contains("close")
        request.isSecure = forwarded("x-forwarded-proto")?.lowercased() == "https"
    }

    private func version() throws(RequestGate.Refusal) {
        guard head.version == "HTTP/1.1" || head.version == "HTTP/1.0" else {
            throw refusal(.version, 505, "This server speaks HTTP/1.1.")
        }
    }

    private var methodNotAllowed: RequestGate.Refusal {
        let allow = [(name: "Allow", value: policy.methods.joined(separator: ", "))]
        return refusal(.method, 405, "The method \(head.method) is not allowed here.", headers: allow)
    }

    // MARK: Host (RFC 9110 7.2)

    private func host() throws(RequestGate.Refusal) -> HostField {
        let hosts = head.values("host")
        guard hosts.count == 1, let direct = HostField(parsing: hosts[0]) else {
            throw refusal(.host, 400, "The request needs one well-formed Host field.")
        }
        var host = direct
        if let forwarded = forwarded("x-forwarded-host") {
            guard let field = HostField(parsing: forwarded) else {
                throw refusal(.host, 400, "The proxy's X-Forwarded-Host is malformed.")
            }
            host = field
        }
        guard allows(host) else { throw misdirected(host) }
        return host
    }

    /// Names that a page of another site cannot point at this machine (DNS rebinding), and those that were allowed.
    private func allows(_ host: HostField) -> Bool {
        let name = host.name
        if host.isAddress || !name.contains(".") { return true }
        if [".localhost", ".local", ".home.arpa"].contains(where: name.hasSuffix) { return true }
        if let machine = policy.machineName, machine.lowercased() == name { return true }
        return policy.allowedHosts.contains { $0.allows(host) }
    }

    private func misdirected(_ host: HostField) -> RequestGate.Refusal {
        // The name consists of letters, digits, "-", "_" and ".", so it needs no escaping.
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Unknown host name</title>
            <h1>This server does not answer to “\(host.name)”</h1>
            <p>If that is its name, start it with <code>--host \(host.name)</code>.</p></html>

            """
        let type = (name: "Content-Type", value: "text/html; charset=utf-8")
        let response = HTTPResponse(status: 421, headers: [type], body: Array(page.utf8))
        return .init(.host, "Host \(host.name) is not allowed", response: response, peer: peer)
    }

    // MARK: Body framing (RFC 9112 6.3)

    private func bodyBytes() throws(RequestGate.Refusal) -> Int {
        guard head.values("transfer-encoding").isEmpty else {
            throw refusal(.body, 400, "A body needs a Content-Length and no Transfer-Encoding.")
        }
        let lengths = head.values("content-length")
        if lengths.isEmpty {
            guard isSafe || !policy.methods.contains(head.method) else {
                throw refusal(.body, 411, "The request needs a Content-Length.")
            }
            return 0
        }
        guard lengths.count == 1, !lengths[0].isEmpty, lengths[0].utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw refusal(.body, 400, "The Content-Length is malformed.")
        }
        // No number: too many digits, so too much for any limit.
        guard let length = Int(lengths[0]), limits.bodyBytes == 0 || length <= limits.bodyBytes else {
            throw refusal(.body, 413, "A body has at most \(limits.bodyBytes) bytes.")
        }
        guard length == 0 || !isSafe else {
            throw refusal(.body, 400, "A \(head.method) request has no body here.")
        }
        return length
    }

    // MARK: Origin

    private func sameOrigin(_ host: HostField, _ isUpgrade: Bool) throws(RequestGate.Refusal) {
        let origins = head.values("origin")
        if !origins.isEmpty {
            guard origins.count == 1, let origin = Origin(parsing: origins[0]), isOwn(origin, host) else {
                throw refusal(.origin, 403, "This page belongs to another origin.")
            }
        } else if isUpgrade, !head.values("cookie").isEmpty {
            throw refusal(.cookie, 403, "A socket without an Origin may not use a cookie.")
        }
        if let site = one("sec-fetch-site"), !["same-origin", "none"].contains(site.lowercased()) {
            throw refusal(.origin, 403, "This request comes from another site.")
        }
    }

    /// Behind a trusted proxy that does not tell the scheme, both fit.
    private func isOwn(_ origin: Origin, _ host: HostField) -> Bool {
        guard origin.host.name == host.name else { return false }
        var schemes = ["http"]
        if policy.trusts(arrival.direct) {
            schemes = forwarded("x-forwarded-proto").map { [$0.lowercased()] } ?? ["http", "https"]
        }
        guard schemes.contains(origin.scheme) else { return false }
        return origin.port == host.port ?? Origin.defaultPort(origin.scheme)
    }

    // MARK: Upgrade (RFC 6455 4.2.1)

    private func isUpgrade() throws(RequestGate.Refusal) -> Bool {
        let upgrades = head.values("upgrade")
        if upgrades.isEmpty { return false }
        guard upgrades.count == 1, upgrades[0].lowercased() == "websocket" else {
            throw refusal(.upgrade, 400, "The only upgrade here is to WebSocket.")
        }
        guard head.method == "GET", head.version == "HTTP/1.1", connectionTokens.contains("upgrade") else {
            throw refusal(.upgrade, 400, "An upgrade is a GET of HTTP/1.1 with Connection: Upgrade.")
        }
        return true
    }

    private func upgrade(_ request: inout HTTPRequest) throws(RequestGate.Refusal) {
        request.isUpgrade = true
        guard head.values("sec-websocket-version") == ["13"] else {
            let version = [(name: "Sec-WebSocket-Version", value: "13")]
            throw refusal(.version, 426, "The WebSocket version here is 13.", headers: version)
        }
        guard let key = one("sec-websocket-key"), isKey(key) else {
            throw refusal(.upgrade, 400, "The Sec-WebSocket-Key is malformed.")
        }
        request.webSocketKey = key
        let offered = subprotocols
        guard offered.isEmpty || policy.subprotocol.map(offered.contains) == true else {
            throw refusal(.subprotocol, 400, "The subprotocol here is \(policy.subprotocol ?? "none").")
        }
    }

    /// 16 bytes in base64: 22 characters and two `=`.
    private func isKey(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        guard bytes.count == 24, bytes[22] == 0x3d, bytes[23] == 0x3d else { return false }
        return bytes[..<22].allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2f: true
            default: false
            }
        }
    }

    // MARK: Helpers

    private var subprotocols: [String] { list("sec-websocket-protocol") }
    private var connectionTokens: [String] { list("connection").map { $0.lowercased() } }

    private var acceptsGzip: Bool {
        list("accept-encoding").contains { item in
            let parts = item.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
        }
    }

    private func list(_ name: String) -> [String] {
        head.values(name).flatMap { $0.split(separator: ",") }.map {
            String($0.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }.filter { !$0.isEmpty }
    }

    private func one(_ name: String) -> String? {
        let values = head.values(name)
        return values.count == 1 ? values[0] : nil
    }

    /// What a trusted proxy says; the last value is its own.
    private func forwarded(_ name: String) -> String? {
        policy.trusts(arrival.direct) ? list(name).last : nil
    }

    private func joined(_ name: String, _ separator: String) -> String? {
        let values = head.values(name)
        return values.isEmpty ? nil : values.joined(separator: separator)
    }

    /// The nearest address that is no trusted proxy, from the right (each proxy appends the one that it saw).
    private var peer: PeerAddress {
        guard policy.trusts(arrival.direct) else { return .init(direct: arrival.direct, effective: arrival.direct) }
        var effective = arrival.direct
        for text in list("x-forwarded-for").reversed() {
            guard let address = IPAddress(parsing: text) else { break }
            effective = address
            if !policy.trusts(address) { break }
        }
        return .init(direct: arrival.direct, effective: effective)
    }

    private func refusal(
        _ kind: Denial.Kind, _ status: Int, _ text: String, headers: [(name: String, value: String)] = []
    ) -> RequestGate.Refusal {
        .init(kind, status, text, headers: headers, peer: peer)
    }
}
