import Testing
import WebSockets

@Suite struct LimitLiveTests {
    @Test func `F56 the 65th connection of one address is refused with 503 and a close frees its place`() async throws {
        let counting = ServerConfiguration.with { $0.limits.connectionsPerAddressCountsLocal = true }
        try await withServer(counting) { (server) throws in
            var clients = try (0..<64).map { _ in try server.open() }
            defer { withExtendedLifetime(clients) {} }
            let refused = try server.connect().request("GET /ws HTTP/1.1", RawClient.upgradeFields)
            #expect(refused.status == 503)
            #expect(refused.field("Retry-After") != nil)
            #expect(try server.status("GET / HTTP/1.1") == 503)
            clients.removeLast().close()
            #expect(server.eventually { server, _ in server.connections.count == 63 && server.socketCount == 63 })
            let next = try server.open()
            try next.send(text: "a")
            #expect(try next.frame()?.text == "a")
            #expect(server.on { _, owner in Set(owner.denials.map(\.kind)) } == [.connectionsPerAddress])
        }
    }

    @Test func `loopback is not counted unless it is asked for`() async throws {
        let configuration = ServerConfiguration.with {
            $0.limits.connectionsPerAddress = 1
            $0.limits.handshakesPerSecond = 1
        }
        try await withServer(configuration) { (server) throws in
            let clients = try (0..<5).map { _ in try server.open() }
            #expect(clients.count == 5)
        }
    }

    @Test func `one connection over the cap is refused with 503, and 0 means no cap`() async throws {
        try await withServer(.with { $0.limits.connections = 3 }) { (server) throws in
            let clients = try (0..<3).map { _ in try server.open() }
            defer { withExtendedLifetime(clients) {} }
            #expect(try server.status("GET / HTTP/1.1") == 503)
            #expect(try server.status("GET /ws HTTP/1.1", RawClient.upgradeFields) == 503)
            clients[0].close()
            #expect(server.eventually { server, _ in server.socketCount == 2 })
            #expect(try server.status("GET / HTTP/1.1") == 200)
        }
        try await withServer(.with { $0.limits.connections = 0 }) { (server) throws in
            let clients = try (0..<20).map { _ in try server.open() }
            #expect(clients.count == 20)
        }
    }

    @Test func `only so many refused connections wait for their 503`() async throws {
        let configuration = ServerConfiguration.with {
            $0.limits.connections = 1
            $0.limits.refusalsWaiting = 2
        }
        try await withServer(configuration) { (server) throws in
            let holder = try server.open()
            defer { withExtendedLifetime(holder) {} }
            let waiting = [try server.connect(), try server.connect()]
            #expect(server.eventually { server, _ in server.socketCount == 3 })
            // No answer and no wait: nothing of it is kept.
            #expect(try server.connect().readToEnd().isEmpty)
            for client in waiting { #expect(try client.request("GET / HTTP/1.1").status == 503) }
        }
    }

    @Test func `more upgrades per second than allowed are refused with 503, other requests are not`() async throws {
        let configuration = ServerConfiguration.with {
            $0.limits.handshakesPerSecond = 5
            $0.limits.handshakesPerSecondCountsLocal = true
        }
        try await withServer(configuration) { (server) throws in
            var statuses: [Int] = []
            for _ in 0..<40 { statuses.append(try server.status("GET /ws HTTP/1.1", RawClient.upgradeFields)) }
            #expect(statuses.contains(503))
            #expect(statuses.prefix(5).allSatisfy { $0 == 101 })
            #expect(try server.status("GET / HTTP/1.1") == 200)
            #expect(eventually { (try? server.status("GET /ws HTTP/1.1", RawClient.upgradeFields)) == 101 })
        }
    }

    @Test func `F51 a header, a second request and a body that drip are cut at the deadline`() async throws {
        let configuration = ServerConfiguration.with {
            $0.limits.requestSeconds = 1
            $0.policy.methods.append("POST")
        }
        let head = "GET / HTTP/1.1\r\nHost: localhost\r\n"
        let post = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
        for (first, dripping) in [("", head), (head + "\r\n", head), ("", post), ("", "")] {
            try await withServer(configuration) { (server) throws in
                let client = try server.connect()
                try client.send(first + dripping)
                if !first.isEmpty { _ = try client.response() }
                let start = monotonicSeconds()
                // A byte now and then does not move the deadline.
                #expect(eventually { dripping.isEmpty || (try? client.send("x")) == nil })
                #expect(server.eventually { server, _ in server.socketCount == 0 })
                #expect(monotonicSeconds() - start > 0.5)
                let kinds = server.on { _, owner in owner.denials.map(\.kind) }
                #expect(kinds == (dripping.isEmpty ? [] : [.requestTimeout]))
            }
        }
    }

    @Test func `an idle WebSocket outlives the deadline for requests`() async throws {
        try await withServer(.with { $0.limits.requestSeconds = 1 }) { (server) throws in
            let client = try server.open()
            let page = try server.connect()
            #expect(try page.request("GET / HTTP/1.1").status == 200)
            // The page's connection ends at its deadline, which is later than the socket's would have been.
            #expect(try page.readToEnd().isEmpty)
            try client.send(text: "a")
            #expect(try client.frame()?.text == "a")
        }
    }

    @Test func `addresses are counted and given back`() {
        var limits = TransportLimits()
        limits.connectionsPerAddress = 2
        limits.handshakesPerSecond = 2
        var book = AddressBook(limits)
        let (a, b) = (IPAddress(parsing: "1.2.3.4"), IPAddress(parsing: "1.2.3.5"))
        var results = [book.enter(a, isLocal: false), book.enter(a, isLocal: false), book.enter(a, isLocal: false)]
        #expect(results == [true, true, false])
        let other = book.enter(b, isLocal: false)
        #expect(other)
        book.leave(a)
        results = [book.enter(a, isLocal: false), book.enter(a, isLocal: true)]
        #expect(results == [true, true])
        let shakes = [0, 0.5, 0.9, 1.0].map { book.shakeHands(a, isLocal: false, now: .seconds($0)) }
        #expect(shakes == [true, true, false, true])
    }
}
