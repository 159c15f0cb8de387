import Testing

@testable import PushboardServer
@testable import WebSockets

@Suite("Access")
struct AccessTests {
    private static let key = AccessKey("abcdefghijklmnopqrst")
    private let access = Access(key: key)
    private let cookie = "pushboard-abcdef=abcdefghijklmnopqrst"

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let verdict: Access.Verdict
        var from: String? = "192.0.2.7"
        var proxy: String?
        var on = "*:8080"
        var cookie: String?
        var authorization: String?
        var origin: String?
        var isUpgrade = false

        init(_ name: String, _ verdict: Access.Verdict, _ change: (inout Row) -> Void) {
            testDescription = name
            self.verdict = verdict
            change(&self)
        }
    }

    private static let good = "pushboard-abcdef=abcdefghijklmnopqrst"

    @Test(
        "Who may come in",
        arguments: [
            Row("on this machine, loopback listener", .allowed) { ($0.from, $0.on) = ("127.0.0.1", "127.0.0.1:80") },
            Row("IPv6 loopback", .allowed) { ($0.from, $0.on) = ("::1", "[::1]:80") },
            Row("a unix socket", .allowed) { ($0.from, $0.on) = (nil, "unix:/x") },
            Row("on this machine, open listener", .needsKey) { $0.from = "127.0.0.1" },
            Row("from elsewhere by a proxy here", .needsKey) { ($0.proxy, $0.on) = ("127.0.0.1", "127.0.0.1:80") },
            Row("from here by a proxy here", .allowed) {
                ($0.from, $0.proxy, $0.on) = ("127.0.0.1", "127.0.0.1", "127.0.0.1:80")
            },
            Row("from elsewhere, nothing", .needsKey) { _ in },
            Row("the cookie", .allowed) { $0.cookie = good },
            Row("the cookie among others", .allowed) { $0.cookie = "a=b; \(good);c=d" },
            Row("another board's cookie", .needsKey) { $0.cookie = "pushboard-bbbbbb=abcdefghijklmnopqrst" },
            Row("a longer name", .needsKey) { $0.cookie = "xpushboard-abcdef=abcdefghijklmnopqrst" },
            Row("a wrong cookie", .needsKey) { $0.cookie = "pushboard-abcdef=abcdefghijklmnopqrsT" },
            Row("an empty cookie", .needsKey) { $0.cookie = "pushboard-abcdef=" },
            Row("a cookie with something behind", .needsKey) { $0.cookie = good + "x" },
            Row("a token", .allowed) { $0.authorization = "Bearer abcdefghijklmnopqrst" },
            Row("a token, the scheme in any case", .allowed) { $0.authorization = "bEARER   abcdefghijklmnopqrst" },
            Row("a wrong token", .needsKey) { $0.authorization = "Bearer abc" },
            Row("no token", .needsKey) { $0.authorization = "Bearer " },
            Row("another scheme", .needsKey) { $0.authorization = "Basic abcdefghijklmnopqrst" },
            Row("a wrong token is not saved by a cookie", .needsKey) {
                ($0.authorization, $0.cookie) = ("Bearer abc", good)
            },
            Row("another scheme leaves the cookie alone", .allowed) {
                ($0.authorization, $0.cookie) = ("Basic abc", good)
            },
            Row("a socket of the page", .allowed) {
                ($0.cookie, $0.isUpgrade, $0.origin) = (good, true, "http://localhost:8080")
            },
            Row("a socket with the cookie but no origin", .cookieWithoutOrigin) {
                ($0.cookie, $0.isUpgrade) = (good, true)
            },
            Row("a socket of a script", .allowed) {
                ($0.authorization, $0.isUpgrade) = ("Bearer abcdefghijklmnopqrst", true)
            },
            Row("a socket with nothing", .needsKey) { $0.isUpgrade = true },
            Row("a socket with a wrong cookie and no origin", .needsKey) {
                ($0.cookie, $0.isUpgrade) = ("pushboard-abcdef=x", true)
            },
            Row("a socket on this machine", .allowed) {
                ($0.from, $0.on, $0.isUpgrade) = ("127.0.0.1", "localhost:80", true)
            },
        ])
    func verdicts(row: Row) throws {
        let request = try HTTPRequest.with(from: row.from, by: row.proxy, on: row.on) {
            $0.cookie = row.cookie
            $0.authorization = row.authorization
            $0.origin = row.origin
            $0.isUpgrade = row.isUpgrade
        }
        #expect(access.verdict(on: request) == row.verdict)
        #expect(Access(key: nil).verdict(on: request) == .allowed, "a board without a key is open")
    }

    private func cookie(_ response: HTTPResponse?) -> String? {
        response?.headers.first { $0.name == "Set-Cookie" }?.value
    }

    @Test("The link sets a cookie that scripts and other sites cannot use, for the base path")
    func signIn() throws {
        let base = try BasePath("board")
        let request = try HTTPRequest.with("/sign-in", query: [("key", "abcdefghijklmnopqrst")])
        let response = access.signIn(request, base: base)
        #expect(response?.status == 200)
        #expect(
            cookie(response)
                == "pushboard-abcdef=abcdefghijklmnopqrst; Path=/board/; Max-Age=31536000; HttpOnly; SameSite=Strict")
        let secure = try HTTPRequest.with("/sign-in", query: [("key", "abcdefghijklmnopqrst")]) { $0.isSecure = true }
        #expect(cookie(access.signIn(secure, base: base))?.hasSuffix("; Secure") == true)
        // The cookie that was set lets in.
        let value = try #require(cookie(response)?.split(separator: ";").first)
        let next = try HTTPRequest.with(from: "192.0.2.7") { $0.cookie = String(value) }
        #expect(access.verdict(on: next) == .allowed)
    }

    @Test(
        "A wrong, missing or doubled key signs nobody in",
        arguments: [
            [], [("key", "x")], [("key", "")], [("KEY", "abcdefghijklmnopqrst")],
            [("key", "x"), ("key", "abcdefghijklmnopqrst")],
        ])
    func wrongKey(query: [(String, String)]) throws {
        let request = try HTTPRequest.with("/sign-in", query: query)
        #expect(access.signIn(request, base: try BasePath("/")) == nil)
        #expect(Access(key: nil).signIn(request, base: try BasePath("/")) == nil)
    }
}
