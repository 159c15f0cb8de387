import Testing
import WebSockets

@Suite struct UpgradeLiveTests {
    private static let speaking = ServerConfiguration.with { $0.policy.subprotocol = "pushboard.v1" }

    @Test func `an upgrade is accepted with the key's answer and the subprotocol that was offered`() async throws {
        try await withServer(Self.speaking) { (server) throws in
            let offers: [(fields: [String], answer: String?)] = [
                ([], nil), (["Sec-WebSocket-Protocol: pushboard.v1"], "pushboard.v1"),
                (["Sec-WebSocket-Protocol: other, pushboard.v1"], "pushboard.v1"),
            ]
            for offer in offers {
                let client = try server.connect()
                let response = try client.request("GET /ws?a=1 HTTP/1.1", RawClient.upgradeFields + offer.fields)
                #expect(response.status == 101)
                #expect(response.field("Sec-WebSocket-Accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                #expect(response.field("Sec-WebSocket-Protocol") == offer.answer)
                #expect(response.field("Sec-WebSocket-Extensions") == nil)
            }
            let request = server.on { _, owner in owner.requests[0] }
            #expect(request.isUpgrade)
            #expect(request.path == "/ws")
            #expect(request.parameter("a") == "1")
        }
    }

    @Test func `only other subprotocols are 400, and the owner may refuse`() async throws {
        try await withServer(Self.speaking) { (server) throws in
            let other = RawClient.upgradeFields + ["Sec-WebSocket-Protocol: pushboard.v2"]
            #expect(try server.status("GET /ws HTTP/1.1", other) == 400)
            #expect(try server.status("GET /elsewhere HTTP/1.1", RawClient.upgradeFields) == 404)
            #expect(server.on { _, owner in owner.denials.map(\.kind) } == [.subprotocol])
        }
    }

    @Test(arguments: [
        (["Origin: null"], 403), (["Origin: http://localhost:1"], 403), (["Origin: https://localhost"], 403),
        (["Origin: http://evil-localhost"], 403), (["Origin: http://localhost.evil.org"], 403),
        (["Origin: http://localhost", "Origin: http://localhost"], 403), (["Cookie: a=b"], 403),
        (["Origin: http://localhost"], 101), (["Origin: http://localhost", "Cookie: a=b"], 101), ([], 101),
    ])
    func `F45 the origin decides on the wire`(fields: [String], status: Int) async throws {
        try await withServer { (server) throws in
            let client = try server.connect()
            #expect(try client.request("GET /ws HTTP/1.1", RawClient.upgradeFields + fields).status == status)
            #expect(server.on { _, owner in owner.denials.count } == (status == 101 ? 0 : 1))
        }
    }

    @Test func `F46 the host decides on pages, unsafe methods and sockets alike`() async throws {
        try await withServer { (server) throws in
            let upgrade = RawClient.upgradeFields.filter { !$0.hasPrefix("Host:") }
            for host in ["evil.example", "localhost.evil.example"] {
                #expect(try server.status("GET / HTTP/1.1", ["Host: \(host)"]) == 421)
                #expect(try server.status("POST / HTTP/1.1", ["Host: \(host)"]) == 421)
                #expect(try server.status("GET /ws HTTP/1.1", ["Host: \(host)"] + upgrade) == 421)
            }
            for hosts in [[], ["Host: a", "Host: a"], ["Host: a:x"]] {
                #expect(try server.status("GET / HTTP/1.1", hosts) == 400)
                #expect(try server.status("GET /ws HTTP/1.1", hosts + upgrade) == 400)
            }
            for host in ["127.0.0.1", "[::1]:9", "NAS", "box.LOCAL"] {
                #expect(try server.status("GET / HTTP/1.1", ["Host: \(host)"]) == 200)
                #expect(try server.status("GET /ws HTTP/1.1", ["Host: \(host)"] + upgrade) == 101)
            }
        }
    }

    @Test func `F48 an unknown upgrade on a kept connection is harmless a thousand times`() async throws {
        let plain = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let unknown = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: foo\r\n\r\n"
        try await withServer { (server) throws in
            for round in 0..<20 {
                let clients = try (0..<50).map { _ in try server.connect() }
                let isOneSegment = round % 2 == 0
                for client in clients { try client.send(isOneSegment ? plain + unknown : plain) }
                for client in clients {
                    let answer = try client.response()
                    #expect(answer.status == 200)
                    if !isOneSegment { try client.send(unknown) }
                }
                for client in clients {
                    let refusal = try client.response()
                    #expect(refusal.status == 400)
                    let rest = try client.readToEnd()
                    #expect(rest.isEmpty)
                }
            }
            #expect(server.eventually { server, _ in server.socketCount == 0 })
        }
    }

    @Test func `an upgrade may follow other requests on one connection`() async throws {
        try await withServer { (server) throws in
            let client = try server.connect()
            #expect(try client.request("GET / HTTP/1.1").status == 200)
            try client.upgrade()
            try client.send(text: "a")
            #expect(try client.frame()?.text == "a")
        }
    }

    @Test func `a name that begins a longer known name hides nothing`() async throws {
        try await withServer { (server) throws in
            // libwebsockets' own parser takes the line behind such a field for a part of its name.
            for name in ["X-A", "Accept-Ch", "X-Forwarded", "Te", "Sec-WebSocket"] {
                let client = try server.connect()
                #expect(try client.request("GET / HTTP/1.1", ["\(name): 1", "Host: localhost"]).status == 200)
                #expect(try client.request("GET / HTTP/1.1", ["Host: localhost", "\(name): 1"]).status == 200)
                try client.upgrade(fields: ["\(name): 1"])
            }
        }
    }
}
