import Testing
import WebSockets

@Suite struct KeepAliveLiveTests {
    private static let impatient = ServerConfiguration.with {
        $0.pingSeconds = 1
        $0.hangupSeconds = 3
    }

    @Test func `P8 one silent client on an otherwise idle server is pinged and hung up`() async throws {
        try await withServer(Self.impatient) { (server) throws in
            let client = try server.open()
            let start = monotonicSeconds()
            #expect(try client.frame()?.opcode == 9)
            let pinged = monotonicSeconds() - start
            #expect(pinged > 0.5 && pinged < 2.5)
            // It never answers.
            _ = try client.closeCode()
            let hungUp = monotonicSeconds() - start
            #expect(hungUp > 2 && hungUp < 6)
            #expect(server.eventually { server, owner in server.socketCount == 0 && owner.closed.count == 1 })
        }
    }

    @Test(arguments: [true, false])
    func `P8 a client that answers pings stays, even if its pongs are empty`(echoes: Bool) async throws {
        try await withServer(Self.impatient) { (server) throws in
            let client = try server.open()
            let start = monotonicSeconds()
            while monotonicSeconds() - start < 5 {
                let ping = try client.frame()
                #expect(ping?.opcode == 9)
                try client.send(RawClient.frame(opcode: 10, echoes ? ping?.payload ?? [] : []))
            }
            try client.send(text: "still here")
            var frame = try client.frame()
            while frame?.opcode == 9 { frame = try client.frame() }
            #expect(frame?.text == "still here")
        }
    }

    @Test func `nothing ticks while nobody is connected`() async throws {
        try await withServer { (server) throws in
            try server.open().close()
            #expect(server.eventually { server, _ in server.socketCount == 0 })
            let ticks = server.on { server, _ in server.tickCount }
            let other = try LiveServer()
            let client = try other.open()
            // A second server measures the time that the first one must sleep through.
            #expect(other.eventually { server, _ in server.tickCount >= 4 })
            #expect(server.on { server, _ in server.tickCount } == ticks)
            client.close()
            other.stop()
        }
    }
}
