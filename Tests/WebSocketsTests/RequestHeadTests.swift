import Testing
import WebSockets

@Suite struct RequestHeadTests {
    @Test func `a head is read as it was sent`() throws {
        let text = "GET /a?b HTTP/1.1\r\nHost: x\r\nX-A:1\r\nCookie: \t a b \t\r\nX-A: 2\r\nEmpty:\r\n\r\n"
        let head = try #require(RequestHead(parsing: Array(text.utf8)[...]))
        #expect(head.method == "GET")
        #expect(head.target == "/a?b")
        #expect(head.version == "HTTP/1.1")
        #expect(head.values("host") == ["x"])
        #expect(head.values("x-a") == ["1", "2"])
        #expect(head.values("cookie") == ["a b"])
        #expect(head.values("empty") == [""])
        #expect(head.values("absent") == [])
    }

    @Test(arguments: [
        "", "\r\n\r\n", "GET\r\n\r\n", "GET / \r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1 \r\n\r\n",
        " GET / HTTP/1.1\r\n\r\n", "GET / http/1.1\r\n\r\n", "GET / HTTP/1\r\n\r\n", "GET / HTTP/11.1\r\n\r\n",
        "G(T / HTTP/1.1\r\n\r\n", "GET /\u{7f} HTTP/1.1\r\n\r\n", "GET /é HTTP/1.1\r\n\r\n", "GET /\0 HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\n\n", "GET / HTTP/1.1\r\r\n\r\n", "GET / HTTP/1.1\r\nA: b\n\r\n",
        "GET / HTTP/1.1\r\nA: b\rc\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : x\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\nA: \0\r\n\r\n",
        "GET / HTTP/1.1\r\nA: \u{1b}[0m\r\n\r\n",
        "GET / HTTP/1.1\r\nA b: c\r\n\r\n", "GET / HTTP/1.1\r\nA: b\r\n", "GET / HTTP/1.1\r\n\r\nrest",
    ])
    func `F49 anything but strict HTTP is no head`(text: String) {
        #expect(RequestHead(parsing: Array(text.utf8)[...]) == nil)
    }

    @Test func `the number of fields is bounded`() {
        let field = "A: b\r\n"
        let most = String(repeating: field, count: RequestHead.maximumFields)
        #expect(RequestHead(parsing: Array("GET / HTTP/1.1\r\n\(most)\r\n".utf8)[...]) != nil)
        #expect(RequestHead(parsing: Array("GET / HTTP/1.1\r\n\(most)\(field)\r\n".utf8)[...]) == nil)
    }

    @Test(arguments: [
        ("/", "/", []), ("/a%20b", "/a b", []), ("/%C3%A9", "/é", []), ("/a+b", "/a+b", []), ("/a;b&c", "/a;b&c", []),
        ("/a//b", "/a//b", []), ("/.hidden", "/.hidden", []), ("/a...b", "/a...b", []), ("/%252e", "/%2e", []),
        ("/a?", "/a", []), ("/a?b", "/a", [["b", ""]]), ("/a?b=c&d=e=f", "/a", [["b", "c"], ["d", "e=f"]]),
        ("/a?b=c+d%26%3D", "/a", [["b", "c d&="]]), ("/?&&x=1&", "/", [["x", "1"]]),
        ("/?a=/../b", "/", [["a", "/../b"]]),
        ("http://host/a", "/a", []), ("HTTP://HOST/a", "/a", []),
    ])
    func `a target is decoded once`(text: String, path: String, query: [[String]]) throws {
        let target = try #require(RequestTarget(parsing: text, host: "host"))
        #expect(target.path == path)
        #expect(target.query.map { [$0.name, $0.value] } == query)
    }

    @Test(arguments: [
        "", "*", "a", "host:80", "http://other/a", "http://host", "https://host/a", "/#", "/a#b", "/%", "/%2", "/%zz",
        "/%+1",
        "/%00", "/a%00.html", "/a%0d%0ab", "/%0aHost:x", "/%1b", "/%7f", "/a\\b", "/%5c", "/..%5c", "/.", "/..",
        "/../x",
        "/a/..", "/a/./b", "/%2e%2e/x", "/.%2e/x", "/%2e", "/..%2fx", "/a/%2e%2e%2fx", "/%ff", "/%c0%ae%c0%ae/x", "/?%",
        "/?a=%ff",
        "/?a=%0",
    ])
    func `F57 F49 a target that could mean something else is refused`(text: String) {
        #expect(RequestTarget(parsing: text, host: "host") == nil)
    }
}
