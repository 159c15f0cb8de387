import Glibc
import Testing
import WebSockets

// One after the other: a process would inherit the pipes of those that start at the same time.
@Suite(.serialized) struct ProcessLiveTests {
    private static let loopback = ["--listen", "127.0.0.1:0"]

    @Test(arguments: [("ulimit -n 256", 256), ("ulimit -S -n 100 && ulimit -H -n 4096", 3_024), ("true", 3_024)])
    func `F24 the limit of open files is clamped to what is needed and allowed`(prelude: String, limit: Int)
        async throws
    {
        try await onThread {
            let child = try ChildServer(Self.loopback, prelude: prelude)
            #expect(child.line() == "open files: \(limit)")
            let client = try RawClient(port: try child.port())
            try client.upgrade()
        }
    }

    @Test func `without free descriptors clients are turned away, others are served, and it recovers`() async throws {
        try await onThread {
            let child = try ChildServer(Self.loopback + ["--limit", "connections=0"], prelude: "ulimit -n 40")
            let port = try child.port()
            var served: [RawClient] = []
            var refused = 0
            for _ in 0..<60 {
                let client = try RawClient(port: port)
                if (try? client.upgrade()) != nil { served.append(client) } else { refused += 1 }
            }
            #expect(served.count >= 10 && served.count < 40)
            #expect(refused >= 20)
            for client in served {
                try client.send(text: "a")
                #expect(try client.frame()?.text == "a")
            }
            served.removeAll()
            #expect(
                eventually {
                    guard let client = try? RawClient(port: port) else { return false }
                    return (try? client.upgrade()) != nil
                })
        }
    }

    @Test func `F14 SIGTERM sends 1001 to all and the process ends with 0`() async throws {
        try await onThread {
            let child = try ChildServer()
            let port = try child.port()
            let clients = try (0..<20).map { _ in
                let client = try RawClient(port: port)
                try client.upgrade()
                return client
            }
            child.signal(SIGTERM)
            for client in clients { #expect(try client.closeCode() == 1001) }
            #expect(child.wait() == 0)
        }
    }

    @Test func `F25 a taken port ends the process with one line`() async throws {
        try await onThread {
            let first = try ChildServer()
            let second = try ChildServer(["--listen", "127.0.0.1:\(try first.port())"])
            let line = second.line()
            #expect(line?.contains("another program listens there; stop it or choose another address") == true)
            #expect(second.line() == nil)
            #expect(second.wait() != 0)
        }
    }
}
