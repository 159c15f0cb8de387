import Testing
import WebSockets

@Suite struct RequestGateTests {
    typealias Field = RequestHead.Field

    private func check(
        _ head: RequestHead, from peer: String? = "127.0.0.1", policy: RequestPolicy = RequestPolicy(),
        limits: TransportLimits = TransportLimits()
    ) -> RequestGate.Decision {
        let arrival = RequestGate.Arrival(
            direct: peer.flatMap(IPAddress.init(parsing:)), listener: .ip(host: "127.0.0.1", port: 8080))
        return RequestGate.check(head, from: arrival, policy: policy, limits: limits)
    }

    /// The status of the refusal; 200 for a request that passed.
    private func status(_ decision: RequestGate.Decision) -> Int {
        switch decision {
        case .request: 200
        case .refuse(let refusal): refusal.response.status
        }
    }

    private func passed(_ decision: RequestGate.Decision) -> HTTPRequest? {
        if case .request(let request) = decision { request } else { nil }
    }

    private func get(_ target: String = "/", _ fields: [(String, String)] = []) -> RequestHead {
        RequestHead(target: target, fields: [Field("Host", "localhost")] + fields.map { Field($0.0, $0.1) })
    }

    private func upgrade(host: String = "localhost:8080", _ fields: [(String, String)] = []) -> RequestHead {
        let own = [
            ("Host", host), ("Upgrade", "websocket"), ("Connection", "keep-alive, Upgrade"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ]
        let names = fields.map { $0.0.lowercased() }
        let kept = own.filter { !names.contains($0.0.lowercased()) }
        return RequestHead(fields: (kept + fields).map { Field($0.0, $0.1) })
    }

    // MARK: Host

    @Test(arguments: [
        "localhost", "LOCALHOST:8080", "localhost.", "app.localhost", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8080",
        "10.1.2.3", "nas", "nas:80", "box.local", "BOX.LOCAL", "a.home.arpa", "under_score", "machine.example.org",
        "board.example.com", "board.example.com:443", "ports.example.com:8443", "evil-localhost",
    ])
    func `F46 a name that no stranger can own, or one that was allowed, is accepted`(host: String) {
        var policy = RequestPolicy()
        policy.machineName = "Machine.Example.Org"
        policy.allowedHosts = ["Board.example.com", "ports.example.com:8443"].compactMap(HostRule.init(parsing:))
        #expect(status(check(RequestHead(fields: [Field("Host", host)]), policy: policy)) == 200)
    }

    @Test(arguments: [
        "example.com", "xboard.example.com", "board.example.com.evil.org", "board.example.comx", "ports.example.com",
        "ports.example.com:80", "board.example.com.local.org", "notlocal.localhost.com", "1.2.3.4.5",
    ])
    func `F46 any other dotted name is 421 and the page names the option`(host: String) throws {
        var policy = RequestPolicy()
        policy.allowedHosts = ["board.example.com", "ports.example.com:8443"].compactMap(HostRule.init(parsing:))
        guard case .refuse(let refusal) = check(RequestHead(fields: [Field("Host", host)]), policy: policy) else {
            Issue.record("\(host) was let in")
            return
        }
        #expect(refusal.response.status == 421)
        #expect(refusal.kind == .host)
        #expect(String(decoding: refusal.response.body, as: UTF8.self).contains("--host"))
    }

    @Test(arguments: [
        [], ["localhost", "localhost"], [""], ["localhost:"], ["localhost:x"], ["localhost:0"], ["localhost:65536"],
        ["localhost:80:80"], ["local host"], ["local<host"], ["a..b"], [".local"], ["[::1"], ["::1"], ["[::1]x"],
        ["[1.2.3.4]"],
        ["user@localhost"], ["localhost/"], ["[::1]:"], ["é.local"],
    ])
    func `F46 an absent, doubled or malformed Host is 400`(hosts: [String]) {
        let head = RequestHead(fields: hosts.map { Field("Host", $0) })
        #expect(status(check(head)) == 400)
    }

    // MARK: The line

    @Test(arguments: [
        ("GET", "HTTP/1.1", 200), ("HEAD", "HTTP/1.0", 200), ("POST", "HTTP/1.1", 405), ("TRACE", "HTTP/1.1", 405),
        ("CONNECT", "HTTP/1.1", 405), ("OPTIONS", "HTTP/1.1", 405), ("get", "HTTP/1.1", 405), ("PRI", "HTTP/2.0", 505),
        ("GET", "HTTP/0.9", 505), ("GET", "HTTP/1.2", 505),
    ])
    func `F49 only known methods and versions pass`(method: String, version: String, expected: Int) {
        var head = get()
        head.method = method
        head.version = version
        #expect(status(check(head)) == expected)
    }

    @Test func `a 405 names what is allowed`() {
        var head = get()
        head.method = "DELETE"
        guard case .refuse(let refusal) = check(head) else {
            Issue.record("DELETE was let in")
            return
        }
        #expect(refusal.response.headers.contains { $0 == ("Allow", "GET, HEAD") })
        #expect(refusal.response.closes)
    }

    @Test func `F57 a target that could mean something else is 400`() {
        #expect(status(check(get("/%2e%2e/etc/passwd"))) == 400)
        #expect(status(check(get("/etc/passwd"))) == 200)
    }

    // MARK: Body

    @Test(arguments: [
        (["Content-Length": "5"], 200), (["Content-Length": "0"], 200), ([:], 411), (["Content-Length": "-1"], 400),
        (["Content-Length": "+5"], 400), (["Content-Length": "5, 5"], 400), (["Content-Length": "0x5"], 400),
        (["Content-Length": ""], 400), (["Content-Length": "65537"], 413),
        (["Content-Length": "99999999999999999999999"], 413), (["Transfer-Encoding": "chunked"], 400),
        (["Transfer-Encoding": "identity", "Content-Length": "5"], 400),
    ])
    func `F49 a body needs one plain length`(fields: [String: String], expected: Int) {
        var policy = RequestPolicy()
        policy.methods.append("POST")
        var head = get("/", fields.map { ($0.key, $0.value) })
        head.method = "POST"
        #expect(status(check(head, policy: policy)) == expected)
    }

    @Test func `F49 two lengths are refused even if they agree, and a GET has no body`() {
        var policy = RequestPolicy()
        policy.methods.append("POST")
        var twice = get("/", [("Content-Length", "5"), ("Content-Length", "5")])
        twice.method = "POST"
        #expect(status(check(twice, policy: policy)) == 400)
        #expect(status(check(get("/", [("Content-Length", "5")]))) == 400)
        #expect(status(check(get("/", [("Content-Length", "0")]))) == 200)
    }

    // MARK: Origin

    @Test(arguments: [
        ("localhost:8080", "http://localhost:8080"), ("LOCALHOST:8080", "http://localhost:8080"),
        ("localhost", "http://localhost"), ("localhost:80", "http://localhost"), ("localhost", "http://localhost:80"),
        ("[::1]:8080", "http://[::1]:8080"), ("127.0.0.1:1", "HTTP://127.0.0.1:1"),
    ])
    func `F45 the page's own origin is accepted`(host: String, origin: String) {
        #expect(status(check(upgrade(host: host, [("Origin", origin)]))) == 200)
    }

    @Test(arguments: [
        "null", "", "http://localhost:8081", "https://localhost:8080", "http://localhost", "http://evil-localhost:8080",
        "http://localhost:8080.evil.org", "http://localhost.evil.org:8080", "http://127.0.0.1:8080",
        "http://localhost:8080/",
        "http://localhost:8080/x", "http://x@localhost:8080", "ws://localhost:8080", "file://", "localhost:8080",
        "http://localhost:8080, http://localhost:8080", "http://localhost:8080 http://localhost:8080",
    ])
    func `F45 any other origin is 403`(origin: String) {
        #expect(status(check(upgrade([("Origin", origin)]))) == 403)
    }

    @Test func `F45 two origins are 403 and a cookie without an origin too`() {
        let own = "http://localhost:8080"
        #expect(status(check(upgrade([("Origin", own), ("Origin", own)]))) == 403)
        #expect(status(check(upgrade([("Cookie", "a=b")]))) == 403)
        #expect(status(check(upgrade([("Cookie", "a=b"), ("Origin", own)]))) == 200)
        #expect(status(check(upgrade())) == 200)
    }

    @Test func `a plain GET may come from anywhere, an unsafe method only from the own page or a script`() {
        var policy = RequestPolicy()
        policy.methods.append("POST")
        func post(_ fields: [(String, String)]) -> Int {
            var head = get("/", [("Content-Length", "0")] + fields)
            head.method = "POST"
            return status(check(head, policy: policy))
        }
        #expect(status(check(get("/", [("Origin", "http://evil.example")]))) == 200)
        #expect(post([]) == 200)
        #expect(post([("Origin", "http://localhost")]) == 200)
        #expect(post([("Origin", "http://evil.example")]) == 403)
        #expect(post([("Sec-Fetch-Site", "same-origin")]) == 200)
        #expect(post([("Sec-Fetch-Site", "none")]) == 200)
        #expect(post([("Sec-Fetch-Site", "same-site")]) == 403)
        #expect(post([("Sec-Fetch-Site", "cross-site")]) == 403)
    }

    // MARK: Proxies

    @Test func `a trusted proxy tells the client's address, scheme and host`() throws {
        var policy = RequestPolicy()
        policy.trustedProxies = ["10.0.0.0/8"].compactMap(CIDR.init(parsing:))
        policy.allowedHosts = ["board.example.com"].compactMap(HostRule.init(parsing:))
        let head = upgrade([
            ("X-Forwarded-For", "6.6.6.6, 9.9.9.9, 10.0.0.2"), ("X-Forwarded-Proto", "https"),
            ("X-Forwarded-Host", "board.example.com"), ("Origin", "https://board.example.com"),
        ])
        let request = try #require(passed(check(head, from: "10.0.0.1", policy: policy)))
        #expect(request.peer.effective == IPAddress(parsing: "9.9.9.9"))
        #expect(request.peer.direct == IPAddress(parsing: "10.0.0.1"))
        #expect(request.isSecure)
        #expect(request.host == "board.example.com")
    }

    @Test func `a stranger's forwarding fields are ignored`() throws {
        let head = get(
            "/", [("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "evil.org")])
        let request = try #require(passed(check(head, from: "9.9.9.9")))
        #expect(request.peer.effective == IPAddress(parsing: "9.9.9.9"))
        #expect(!request.peer.isLocal)
        #expect(!request.isSecure)
        #expect(request.host == "localhost")
    }

    @Test func `behind a trusted proxy that hides the scheme both fit, another host does not`() {
        var policy = RequestPolicy()
        policy.trustedProxies = ["10.0.0.1"].compactMap(CIDR.init(parsing:))
        let origins = ["http://nas": 200, "https://nas": 200, "https://other": 403]
        for (origin, expected) in origins {
            let head = upgrade(host: "nas", [("Origin", origin)])
            #expect(status(check(head, from: "10.0.0.1", policy: policy)) == expected, "\(origin)")
        }
    }

    @Test func `an address that a proxy garbles is the proxy's own`() throws {
        var policy = RequestPolicy()
        policy.trustedProxies = ["10.0.0.0/8"].compactMap(CIDR.init(parsing:))
        let head = get("/", [("X-Forwarded-For", "9.9.9.9, unknown")])
        let request = try #require(passed(check(head, from: "10.0.0.1", policy: policy)))
        #expect(request.peer.effective == IPAddress(parsing: "10.0.0.1"))
    }

    // MARK: Upgrade

    @Test(arguments: [
        ("Upgrade", "h2c", 400), ("Upgrade", "WebSocket", 200), ("Upgrade", "websocket, h2c", 400),
        ("Upgrade", "", 400),
        ("Connection", "keep-alive", 400), ("Connection", "upgrade", 200), ("Sec-WebSocket-Version", "8", 426),
        ("Sec-WebSocket-Version", "13, 8", 426), ("Sec-WebSocket-Key", "short", 400),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ", 400), ("Sec-WebSocket-Key", "!GhlIHNhbXBsZSBub25jZQ==", 400),
        ("Sec-WebSocket-Protocol", "pushboard.v1", 200), ("Sec-WebSocket-Protocol", "a, pushboard.v1", 200),
        ("Sec-WebSocket-Protocol", "pushboard.v2", 400), ("Sec-WebSocket-Protocol", "Pushboard.v1", 400),
        ("X-A", "1", 200),
    ])
    func `an upgrade must be to WebSocket 13 and to our subprotocol`(name: String, value: String, expected: Int) {
        var policy = RequestPolicy()
        policy.subprotocol = "pushboard.v1"
        #expect(status(check(upgrade([(name, value)]), policy: policy)) == expected)
    }

    @Test func `an upgrade is a GET of HTTP 1 point 1`() {
        var head = upgrade()
        head.version = "HTTP/1.0"
        #expect(status(check(head)) == 400)
        head = upgrade()
        head.method = "HEAD"
        #expect(status(check(head)) == 400)
        #expect(status(check(upgrade([("Sec-WebSocket-Protocol", "any")]))) == 400)
    }

    // MARK: What passes

    @Test func `a request carries what it said`() throws {
        let head = get(
            "/a%20b?x=1&y=2",
            [
                ("Cookie", "a=b"), ("Cookie", "c=d"), ("Authorization", "Bearer k"), ("If-None-Match", "\"x\""),
                ("User-Agent", "test"), ("Connection", "close"),
            ])
        let request = try #require(passed(check(head)))
        #expect(request.path == "/a b")
        #expect(request.rawPath == "/a%20b")
        #expect(request.parameter("y") == "2")
        #expect(request.parameter("z") == nil)
        #expect(request.cookie == "a=b; c=d")
        #expect(request.authorization == "Bearer k")
        #expect(request.ifNoneMatch == "\"x\"")
        #expect(request.userAgent == "test")
        #expect(request.origin == nil)
        #expect(!request.isUpgrade)
    }

    @Test(arguments: [
        ("gzip", true), ("deflate, gzip;q=0.5", true), ("*", true), ("GZIP", true), ("", false), ("br", false),
        ("gzip;q=0", false), ("gzip; q=0.0", false), ("identity", false), ("xgzip", false),
    ])
    func `gzip is used only where it is accepted`(field: String, expected: Bool) {
        #expect(passed(check(get("/", [("Accept-Encoding", field)])))?.acceptsGzip == expected)
    }
}
