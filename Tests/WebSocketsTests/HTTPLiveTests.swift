import Testing
import WebSockets

@Suite struct HTTPLiveTests {
    private static let posting = ServerConfiguration.with { $0.policy.methods = ["GET", "HEAD", "POST"] }

    @Test func `a connection is kept for many requests`() async throws {
        try await withServer { (server) throws in
            let client = try server.connect()
            for number in 0..<100 {
                let response = try client.request("GET /\(number) HTTP/1.1")
                #expect(response.status == 200)
                #expect(response.text == "GET /\(number) 0\n")
                #expect(response.field("Connection") == nil)
                #expect(response.field("Date")?.hasSuffix(" GMT") == true)
            }
            #expect(server.on { server, _ in server.acceptedCount } == 1)
        }
    }

    @Test func `requests sent at once are answered in order`() async throws {
        try await withServer { (server) throws in
            let client = try server.connect()
            let requests = (0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
            try client.send(requests.joined())
            for number in 0..<50 { #expect(try client.response().text == "GET /\(number) 0\n") }
        }
    }

    @Test func `a request split at every byte gives the same answer`() async throws {
        try await withServer { (server) throws in
            let client = try server.connect()
            let request = Array("\r\nGET /x HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            for split in 1..<request.count {
                try client.send(request[..<split])
                try client.send(request[split...])
                #expect(try client.response().text == "GET /x 0\n")
            }
            for byte in request { try client.send([byte]) }
            #expect(try client.response().text == "GET /x 0\n")
        }
    }

    @Test func `HEAD has the length but no body, and a close or HTTP 1 point 0 ends the connection`() async throws {
        try await withServer { (server) throws in
            let client = try server.connect()
            let head = try client.request("HEAD /x HTTP/1.1")
            #expect(head.field("Content-Length") == "10")
            #expect(try client.request("GET /x HTTP/1.1", ["Host: localhost", "Connection: close"]).status == 200)
            #expect(try client.readToEnd().isEmpty)
            let old = try server.connect()
            let response = try old.request("GET /x HTTP/1.0")
            #expect(response.field("Connection") == "close")
            #expect(try old.readToEnd().isEmpty)
        }
    }

    @Test func `a large answer reaches a slow reader whole, and then the next request is answered`() async throws {
        try await withServer { (server) throws in
            let client = try RawClient(port: server.port, receiveBuffer: 4_096)
            let size = 20 << 20
            try client.send("GET /large/\(size) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try client.send("GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let large = try client.response()
            #expect(large.body.count == size)
            #expect(large.body.allSatisfy { $0 == 0x78 })
            #expect(try client.response().text == "GET /next 0\n")
        }
    }

    @Test func `a body arrives whole however it is cut, and the next request begins behind it`() async throws {
        try await withServer(Self.posting) { (server) throws in
            let client = try server.connect()
            let head = "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n"
            try client.send(head + "12345" + head)
            #expect(try client.response().text == "POST /x 5\n")
            try client.send("12")
            try client.send("345GET /y HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.response().text == "POST /x 5\n")
            #expect(try client.response().text == "GET /y 0\n")
        }
    }

    @Test func `a refused body ends the connection and the answer is not lost to it`() async throws {
        try await withServer(Self.posting) { (server) throws in
            let bodies: [(fields: [String], status: Int)] = [
                (["Content-Length: 1000000"], 413), (["Transfer-Encoding: chunked"], 400),
                (["Content-Length: 5", "Transfer-Encoding: chunked"], 400),
                (["Content-Length: 5", "Content-Length: 6"], 400),
                (["Content-Length: -5"], 400), ([], 411),
            ]
            for body in bodies {
                let client = try server.connect()
                let head = (["POST / HTTP/1.1", "Host: localhost"] + body.fields).joined(separator: "\r\n")
                try client.send(head + "\r\n\r\n" + String(repeating: "x", count: 500_000))
                #expect(try client.response().status == body.status)
                #expect(try client.readToEnd().isEmpty)
                #expect(!client.wasReset)
            }
            #expect(server.on { _, owner in owner.requests.count } == 0)
        }
    }

    @Test func `a POST is 405 and names what is allowed`() async throws {
        try await withServer { (server) throws in
            let fields = ["Host: localhost", "Content-Length: 2"]
            let response = try server.connect().request("POST / HTTP/1.1", fields, body: "{}")
            #expect(response.status == 405)
            #expect(response.field("Allow") == "GET, HEAD")
        }
    }

    @Test(arguments: [
        "X-Filler: ", "Cookie: ", "User-Agent: ",
    ])
    func `F57 a header over its limit is 431, one at it passes`(name: String) async throws {
        try await withServer { (server) throws in
            let rest = "GET / HTTP/1.1\r\nHost: localhost\r\n\(name)\r\n\r\n".utf8.count
            let most = String(repeating: "a", count: 8_192 - rest)
            let client = try server.connect()
            #expect(try client.request("GET / HTTP/1.1", ["Host: localhost", name + most]).status == 200)
            #expect(try client.request("GET / HTTP/1.1", ["Host: localhost", name + most + "a"]).status == 431)
            #expect(try client.readToEnd().isEmpty)
            let endless = try server.connect()
            try endless.send("GET / HTTP/1.1\r\nHost: localhost\r\n" + name + String(repeating: "a", count: 100_000))
            #expect(try endless.response().status == 431)
            #expect(server.on { _, owner in owner.denials.map(\.kind) } == [.headerSize, .headerSize])
        }
    }

    @Test(arguments: [
        ("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        (
            "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n",
            400
        ),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        ("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("GET /a%0d%0aX: HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("\u{16}\u{3}\u{1}\r\n\r\n", 400),
        ("GET / HTTP/1.1\nHost: localhost\n\n\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
        ("GET /\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\nA: b\r\n c\r\n\r\n", 400),
    ])
    func `F49 what is no plain request is refused at once and leaves no socket`(bytes: String, status: Int) async throws
    {
        try await withServer { (server) throws in
            let start = monotonicSeconds()
            let client = try server.connect()
            try client.send(bytes)
            #expect(try client.response().status == status)
            #expect(try client.readToEnd().isEmpty)
            client.close()
            #expect(server.eventually { server, _ in server.socketCount == 0 })
            // Not by the deadline for requests, which is 10 s.
            #expect(monotonicSeconds() - start < 5)
        }
    }

    @Test func `F49 a refused client that does not leave is cut after a second`() async throws {
        try await withServer { (server) throws in
            let client = try server.connect()
            #expect(try client.request("TRACE / HTTP/1.1").status == 405)
            let start = monotonicSeconds()
            #expect(server.eventually { server, _ in server.socketCount == 0 })
            #expect(monotonicSeconds() - start < 5)
        }
    }
}
