/// One run of `RequestGate`: each rule is a method that passes or throws the refusal.
struct RequestCheck {
    let head: RequestHead
    let arrival: RequestGate.Arrival
    let policy: RequestPolicy
    let limits: TransportLimits

    func run() throws(RequestGate.Refusal) -> HTTPRequest {
        let method = try method()
        try headerBytes()
        try controlBytes()
        let path = try path()
        let host = try host()
        let bodyBytes = try bodyBytes(method)
        guard policy.methods.contains(method) else { throw methodNotAllowed(method) }
        var request = HTTPRequest(
            method: method, path: path, query: head.query.map(parameter), host: host.name, port: host.port, peer: peer,
            listener: arrival.listener)
        fill(&request, bodyBytes)
        let isUpgrade = try isUpgrade(method)
        if isUpgrade || !Self.safeMethods.contains(method) { try sameOrigin(host, isUpgrade) }
        if isUpgrade { try upgrade(&request) }
        return request
    }

    private static let safeMethods = ["GET", "HEAD"]

    private func fill(_ request: inout HTTPRequest, _ bodyBytes: Int) {
        request.origin = one(.origin)
        request.cookie = head.fields[.cookie].map { $0.joined(separator: "; ") }
        request.authorization = one(.authorization)
        request.ifNoneMatch = head.fields[.ifNoneMatch].map { $0.joined(separator: ", ") }
        request.acceptsGzip = acceptsGzip
        request.secFetchSite = one(.secFetchSite)
        request.contentType = one(.contentType)
        request.userAgent = one(.userAgent)
        request.subprotocols = subprotocols
        request.contentLength = bodyBytes
        request.isSecure = forwarded(.forwardedProto)?.lowercased() == "https"
    }

    // MARK: The first line

    private func method() throws(RequestGate.Refusal) -> String {
        guard head.isIntact else { throw refusal(.target, 400, "The request's address holds a forbidden byte.") }
        guard let method = head.method else { throw refusal(.method, 400, "The request names no method.") }
        guard ["HTTP/1.1", "HTTP/1.0"].contains(head.version) else {
            throw refusal(.version, 505, "This server speaks HTTP/1.1.")
        }
        return method
    }

    private func path() throws(RequestGate.Refusal) -> String {
        let bad = refusal(.target, 400, "The request's address is malformed.")
        guard head.path.count == 1, head.path[0].first == 0x2f else { throw bad }
        guard let path = String(validating: head.path[0], as: UTF8.self) else { throw bad }
        guard !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == 0x5c }) else { throw bad }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !segments.contains(where: { $0 == "." || $0 == ".." }) else { throw bad }
        return path
    }

    private func parameter(_ bytes: [UInt8]) -> HTTPRequest.Parameter {
        let parts = bytes.split(separator: 0x3d, maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : ""
        return .init(name: String(decoding: parts.first ?? [], as: UTF8.self), value: value)
    }

    private func methodNotAllowed(_ method: String) -> RequestGate.Refusal {
        let allow = [(name: "Allow", value: policy.methods.joined(separator: ", "))]
        return refusal(.method, 405, "The method \(method) is not allowed here.", headers: allow)
    }

    // MARK: Fields

    private func headerBytes() throws(RequestGate.Refusal) {
        guard limits.headerBytes == 0 || head.byteCount <= limits.headerBytes else {
            throw refusal(.headerSize, 431, "The request's header has more than \(limits.headerBytes) bytes.")
        }
    }

    private func controlBytes() throws(RequestGate.Refusal) {
        for values in head.fields.values {
            for value in values where value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }) {
                throw refusal(.badRequest, 400, "A header field holds a control byte.")
            }
        }
    }

    private func host() throws(RequestGate.Refusal) -> HostField {
        let hosts = head.fields[.host] ?? []
        guard hosts.count == 1, let direct = HostField(parsing: hosts[0]) else {
            throw refusal(.host, 400, "The request needs one well-formed Host field.")
        }
        var host = direct
        if let forwarded = forwarded(.forwardedHost) {
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
        let response = HTTPResponse(status: 421, headers: [type], body: Array(page.utf8), closes: true)
        return .init(
            kind: .host, status: 421, detail: "Host \(host.name) is not allowed", response: response, peer: peer)
    }

    // MARK: Body framing (RFC 9112 6.3)

    private func bodyBytes(_ method: String) throws(RequestGate.Refusal) -> Int {
        guard head.fields[.transferEncoding] == nil, head.fields[.spacedTransferEncoding] == nil,
            head.fields[.spacedContentLength] == nil
        else { throw refusal(.body, 400, "A body needs one Content-Length and no Transfer-Encoding.") }
        guard let lengths = head.fields[.contentLength] else {
            guard Self.safeMethods.contains(method) || !policy.methods.contains(method) else {
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
        guard length == 0 || !Self.safeMethods.contains(method) else {
            throw refusal(.body, 400, "A \(method) request has no body here.")
        }
        return length
    }

    // MARK: Origin

    private func sameOrigin(_ host: HostField, _ isUpgrade: Bool) throws(RequestGate.Refusal) {
        if let origins = head.fields[.origin] {
            guard origins.count == 1, let origin = Origin(parsing: origins[0]), isOwn(origin, host) else {
                throw refusal(.origin, 403, "This page belongs to another origin.")
            }
        } else if isUpgrade, head.fields[.cookie] != nil {
            throw refusal(.cookie, 403, "A socket without an Origin may not use a cookie.")
        }
        if let site = one(.secFetchSite), !["same-origin", "none"].contains(site.lowercased()) {
            throw refusal(.origin, 403, "This request comes from another site.")
        }
    }

    /// Behind a trusted proxy that does not tell the scheme, both fit.
    private func isOwn(_ origin: Origin, _ host: HostField) -> Bool {
        guard origin.host.name == host.name else { return false }
        var schemes = ["http"]
        if policy.trusts(arrival.direct) {
            schemes = forwarded(.forwardedProto).map { [$0.lowercased()] } ?? ["http", "https"]
        }
        guard schemes.contains(origin.scheme) else { return false }
        return origin.port == host.port ?? Origin.defaultPort(origin.scheme)
    }

    // MARK: Upgrade (RFC 6455 4.2.1)

    private func isUpgrade(_ method: String) throws(RequestGate.Refusal) -> Bool {
        guard let upgrades = head.fields[.upgrade] else { return false }
        guard upgrades.count == 1, upgrades[0].lowercased() == "websocket" else {
            throw refusal(.upgrade, 400, "The only upgrade here is to WebSocket.")
        }
        guard method == "GET", head.version == "HTTP/1.1", connectionTokens.contains("upgrade") else {
            throw refusal(.upgrade, 400, "An upgrade is a GET of HTTP/1.1 with Connection: Upgrade.")
        }
        return true
    }

    private func upgrade(_ request: inout HTTPRequest) throws(RequestGate.Refusal) {
        request.isUpgrade = true
        guard head.fields[.webSocketVersion] == ["13"] else {
            let version = [(name: "Sec-WebSocket-Version", value: "13")]
            throw refusal(.version, 426, "The WebSocket version here is 13.", headers: version)
        }
        guard let key = one(.webSocketKey), isKey(key) else {
            throw refusal(.upgrade, 400, "The Sec-WebSocket-Key is malformed.")
        }
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

    private var subprotocols: [String] { list(.webSocketProtocol) }
    private var connectionTokens: [String] { list(.connection).map { $0.lowercased() } }

    private var acceptsGzip: Bool {
        list(.acceptEncoding).contains { item in
            let parts = item.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
        }
    }

    private func list(_ field: RequestHead.Field) -> [String] {
        (head.fields[field] ?? []).flatMap { $0.split(separator: ",") }.map {
            String($0.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }.filter { !$0.isEmpty }
    }

    private func one(_ field: RequestHead.Field) -> String? {
        guard let values = head.fields[field], values.count == 1 else { return nil }
        return values[0]
    }

    /// What a trusted proxy says; the last value is its own.
    private func forwarded(_ field: RequestHead.Field) -> String? {
        policy.trusts(arrival.direct) ? list(field).last : nil
    }

    /// The nearest address that is no trusted proxy, from the right (each proxy appends the one that it saw).
    private var peer: PeerAddress {
        guard policy.trusts(arrival.direct) else { return .init(direct: arrival.direct, effective: arrival.direct) }
        var effective = arrival.direct
        for text in list(.forwardedFor).reversed() {
            guard let address = IPAddress(parsing: text) else { break }
            effective = address
            if !policy.trusts(address) { break }
        }
        return .init(direct: arrival.direct, effective: effective)
    }

    private func refusal(
        _ kind: Denial.Kind, _ status: Int, _ text: String, headers: [(name: String, value: String)] = []
    ) -> RequestGate.Refusal {
        var response = HTTPResponse.text(status, text, headers: headers)
        response.closes = true
        return .init(kind: kind, status: status, detail: text, response: response, peer: peer)
    }
}

/// The origin of a browser's page (RFC 6454 6.2): `scheme://host[:port]`, nothing behind it.
struct Origin: Equatable {
    let scheme: String
    let host: HostField
    let port: UInt16

    init?(parsing text: String) {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, ["http:", "https:"].contains(parts[0].lowercased()) else {
            return nil
        }
        guard let host = HostField(parsing: String(parts[2])) else { return nil }
        scheme = String(parts[0].lowercased().dropLast())
        self.host = host
        port = host.port ?? Self.defaultPort(scheme)
    }

    static func defaultPort(_ scheme: String) -> UInt16 { scheme == "https" ? 443 : 80 }
}
