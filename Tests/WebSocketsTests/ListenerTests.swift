import Glibc
import Testing
import WebSockets

@Suite struct ListenerTests {
    private func bind(_ text: String) throws -> Listener { try Listener.bind(ListenAddress(parsing: text)) }

    private func port(_ listener: Listener) -> UInt16 {
        if case .ip(_, let port) = listener.address { port } else { 0 }
    }

    /// The local addresses of the listener's sockets, as the kernel writes them. By inode: another program, or another
    /// test, may have taken the same port of another address.
    private func listening(_ listener: Listener) -> Set<String> {
        let inodes = listener.descriptors.map { descriptor in
            var status = stat()
            unsafe fstat(descriptor, &status)
            return String(status.st_ino)
        }
        var found: Set<String> = []
        for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
            for line in readText(table).split(separator: "\n").dropFirst() {
                let columns = line.split(separator: " ")
                guard columns.count > 9, columns[3] == "0A", inodes.contains(String(columns[9])) else { continue }
                found.insert(String(columns[1].split(separator: ":")[0]))
            }
        }
        return found
    }

    private func readText(_ path: String) -> String {
        guard let file = unsafe fopen(path, "r") else { return "" }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = unsafe fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let loopback4 = "0100007F"
    private static let loopback6 = "00000000000000000000000001000000"
    private static let any4 = "00000000"
    private static let any6 = String(repeating: "0", count: 32)

    @Test(arguments: [
        ("127.0.0.1:0", [loopback4]), ("[::1]:0", [loopback6]), ("localhost:0", [loopback4, loopback6]),
        ("0.0.0.0:0", [any4]), ("[::]:0", [any6]), ("*:0", [any4, any6]),
    ])
    func `F26 exactly the sockets that were asked for are in the kernel's table`(text: String, expected: [String])
        throws
    {
        let listener = try bind(text)
        defer { listener.close() }
        #expect(port(listener) != 0)
        #expect(listener.descriptors.count == expected.count)
        #expect(listening(listener) == Set(expected))
    }

    @Test func `F26 both loopback families and a unix socket are served, and the file goes with the server`()
        async throws
    {
        let path = "/tmp/pushboard-test-\(getpid())-served.sock"
        try await withServer(on: ["localhost:0", "unix:\(path)"]) { (server) throws in
            for client in [
                try RawClient(port: server.port), try RawClient(port: server.port, host: "::1"),
                try RawClient(unix: path),
            ] {
                try client.upgrade()
                try client.send(text: "a")
                #expect(try client.frame()?.text == "a")
            }
            let peers = server.on { _, owner in owner.requests.map(\.peer.description) }
            #expect(peers == ["127.0.0.1", "::1", "local"])
        }
        #expect(unsafe access(path, F_OK) != 0)
    }

    @Test func `F25 a taken port is one clear line and leaves nothing behind`() throws {
        let first = try bind("localhost:0")
        defer { first.close() }
        let before = openDescriptors()
        // Other tests run in this process; so many leaks could not hide among them.
        for _ in 0..<600 { #expect(throws: ListenError.self) { try bind("localhost:\(port(first))") } }
        #expect(openDescriptors() < before + 500)
        for text in ["127.0.0.1:\(port(first))", "[::1]:\(port(first))", "localhost:\(port(first))"] {
            let error = #expect(throws: ListenError.self) { try bind(text) }
            #expect(error?.reason == .inUse)
            #expect(error?.description.contains("another program listens there") == true)
            #expect(error?.description.contains("\n") == false)
        }
        #expect(listening(first).count == 2)
    }

    @Test func `F27 a port can be bound again at once after connections were closed`() async throws {
        let port = try await withServer { (server) throws in
            let clients = try (0..<10).map { _ in try server.open() }
            server.on { server, _ in server.closeAll(code: 1001, reason: "") }
            for client in clients { _ = try client.closeCode() }
            return server.port
        }
        try bind("127.0.0.1:\(port)").close()
    }

    @Test func `a stale unix socket is replaced, a live one and other files are not`() throws {
        let path = "/tmp/pushboard-test-\(getpid())-stale.sock"
        defer { unsafe unlink(path) }
        let live = try bind("unix:\(path)")
        let taken = #expect(throws: ListenError.self) { try bind("unix:\(path)") }
        #expect(taken?.reason == .inUse)
        // A second name keeps the file when the listener removes its own: what a crash leaves.
        #expect(unsafe link(path, path + "x") == 0)
        live.close()
        #expect(unsafe access(path, F_OK) != 0)
        #expect(unsafe rename(path + "x", path) == 0)
        try bind("unix:\(path)").close()
        close(unsafe open(path, O_CREAT | O_WRONLY, 0o600))
        let file = #expect(throws: ListenError.self) { try bind("unix:\(path)") }
        #expect(file?.reason == .inUse)
        #expect(unsafe access(path, F_OK) == 0)
    }

    @Test func `what the system refuses is told with advice`() {
        let missing = #expect(throws: ListenError.self) { try bind("unix:/tmp/no-such-folder-\(getpid())/x.sock") }
        #expect(missing?.reason == .unavailable)
        let foreign = #expect(throws: ListenError.self) { try bind("192.0.2.1:0") }
        #expect(foreign?.reason == .unavailable)
    }
}
