import Testing
import WebSockets

@Suite struct LifecycleLiveTests {
    @Test func `F21 a reset in each stage of a connection ends in one destruction each`() async throws {
        let greeter: @Sendable () -> Owner = { Greeter() }
        try await withServer(owner: greeter) { (server) throws in
            let head = "GET /ws HTTP/1.1\r\n" + RawClient.upgradeFields.map { "\($0)\r\n" }.joined() + "\r\n"
            for round in 0..<60 {
                let client = try server.connect()
                switch round % 6 {
                case 0: break
                case 1: try client.send(head.utf8.prefix(round))
                case 2: try client.send(head)
                case 3: try client.upgrade()
                case 4:
                    try client.upgrade()
                    try client.send(RawClient.frame(opcode: 8, [3, 232]))
                default:
                    try client.upgrade()
                    server.on { server, _ in server.closeAll(code: 1001, reason: "") }
                }
                client.reset()
            }
            #expect(server.eventually { server, _ in server.socketCount == 0 })
            let counts = server.on { server, owner in
                [
                    server.acceptedCount - server.destroyedCount, owner.opened.count - owner.closed.count,
                    server.openedCount,
                ]
            }
            #expect(counts[0] == 0)
            #expect(counts[1] == 0)
            #expect(counts[2] >= 30)
            #expect(server.on { _, owner in Set(owner.closed).count == owner.closed.count })
        }
    }

    @Test func `F7 after many connections opens equal destroys and no descriptor is left`() async throws {
        try await withServer { (server) throws in
            try server.open().close()
            #expect(server.eventually { server, _ in server.socketCount == 0 })
            let before = openDescriptors()
            for round in 0..<20 {
                let clients = try (0..<50).map { _ in try server.open() }
                for client in clients {
                    if round % 2 == 0 { client.reset() } else { client.close() }
                }
            }
            #expect(server.eventually { server, _ in server.socketCount == 0 })
            #expect(
                server.on { server, owner in [server.acceptedCount, server.destroyedCount, owner.closed.count] } == [
                    1_001, 1_001, 1_001,
                ])
            // Other tests run in this process; what 1 000 leaks would be cannot hide among them.
            #expect(openDescriptors() < before + 500)
        }
    }

    @Test func `a shutdown sends 1001 to all, cuts the silent, and then says so once`() async throws {
        try await withServer { (server) throws in
            let clients = try (0..<10).map { _ in try server.open() }
            defer { withExtendedLifetime(clients) {} }
            let page = try server.connect()
            #expect(try page.request("GET / HTTP/1.1").status == 200)
            let gone = Promise<Int>()
            server.on { server, _ in
                server.shutDown(code: 1001, reason: "shutting down") { gone.fulfil(server.socketCount) }
            }
            for client in clients.dropFirst() {
                let frame = try client.frame()
                #expect(frame?.code == 1001)
                #expect(frame?.payload.dropFirst(2).elementsEqual("shutting down".utf8) == true)
                try client.send(RawClient.frame(opcode: 8, [3, 233]))
            }
            #expect(try page.readToEnd().isEmpty)
            #expect(throws: RawClient.Failure.self) { try server.connect() }
            // The first client never answers its Close frame, which leaves its socket open for a while.
            let start = monotonicSeconds()
            #expect(gone.wait() == 0)
            #expect(monotonicSeconds() - start > 1)
        }
    }

    @Test func `a shutdown with nobody connected ends at once`() async throws {
        try await withServer { (server) throws in
            let gone = Promise<Void>()
            server.on { server, _ in server.shutDown(code: 1001, reason: "") { gone.fulfil(()) } }
            gone.wait()
        }
    }

    @Test func `what was sent before a close arrives before it`() async throws {
        try await withServer { (server) throws in
            let client = try server.open()
            server.on { server, _ in
                for number in 0..<100 { server.connections[0].send(SharedFrame(text: "\(number)")) }
                server.connections[0].close(code: 4001, reason: String(repeating: "é", count: 100))
                #expect(server.connections[0].send(SharedFrame(text: "late")) == .closed)
            }
            for number in 0..<100 { #expect(try client.frame()?.text == "\(number)") }
            let close = try client.frame()
            #expect(close?.code == 4001)
            #expect(close?.payload.dropFirst(2).elementsEqual(String(repeating: "é", count: 61).utf8) == true)
        }
    }

    @Test func `a client that does not take what goes before its close is cut`() async throws {
        try await withServer { (server) throws in
            let stuck = try RawClient(port: server.port, receiveBuffer: 4_096)
            try stuck.upgrade()
            let start = monotonicSeconds()
            server.on { server, _ in
                let connection = server.connections[0]
                while connection.send(SharedFrame(text: [UInt8](repeating: 0x61, count: 60_000))) != .overflow {}
                connection.close(code: 1001, reason: "")
            }
            #expect(server.eventually { server, owner in server.socketCount == 0 && owner.closed.count == 1 })
            #expect(monotonicSeconds() - start > 1)
            stuck.close()
        }
    }

    @Test func `F61 a slow reader costs at most its outbox, others are served, and it gets all that was queued`()
        async throws
    {
        try await withServer(.with { $0.limits.outboxBytes = 100_000 }) { (server) throws in
            let slow = try RawClient(port: server.port, receiveBuffer: 4_096)
            try slow.upgrade()
            let quick = try server.open()
            let results = server.on { server, _ in
                let frame = SharedFrame(text: [UInt8](repeating: 0x61, count: 10_000))
                let connection = server.connections[0]
                var results: [SendResult] = []
                repeat {
                    results.append(connection.send(frame))
                } while results.last != .overflow && results.count < 100_000
                return results
            }
            #expect(results.last == .overflow)
            #expect(results.filter { $0 == .queued }.count == 10)
            try quick.send(text: "a")
            #expect(try quick.frame()?.text == "a")
            for _ in results.dropLast() { #expect(try slow.frame()?.payload.count == 10_000) }
            server.on { server, _ in server.connections[0].requestWritable() }
            #expect(server.eventually { _, owner in owner.writableCount == 1 })
        }
    }

    @Test func `one frame reaches everybody`() async throws {
        try await withServer { (server) throws in
            let clients = try (0..<100).map { _ in try server.open() }
            for size in [0, 1, 125, 126, 65_535, 65_536] {
                let writes = server.on { server, _ in
                    let frame = SharedFrame(text: [UInt8](repeating: 0x62, count: size))
                    return server.connections.filter { $0.isWritableNow && $0.write(frame) }.count
                }
                #expect(writes == 100)
                for client in clients { #expect(try client.frame()?.payload == [UInt8](repeating: 0x62, count: size)) }
            }
        }
    }
}

/// Sends two large frames at once, so that a reset hits a half-sent one.
private final class Greeter: Owner {
    override func opened(_ connection: Connection) {
        super.opened(connection)
        for _ in 0..<2 { connection.send(SharedFrame(text: [UInt8](repeating: 0x61, count: 4 << 20))) }
    }
}
