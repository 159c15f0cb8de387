import Glibc
import WebSockets

/// A server on a loop and a thread of its own, with an owner that notes what it is told.
///
/// `@unchecked Sendable`: all but `loop` is touched only on the loop's thread, inside `run` or `on`.
final class LiveServer: @unchecked Sendable {
    let loop: EventLoop
    let addresses: [ListenAddress]
    private var server: Server?
    private var owner: Owner?
    private let ended = Promise<Void>()

    /// Listens on a free port of 127.0.0.1 unless told otherwise.
    init(
        _ configuration: ServerConfiguration = .init(), on listen: [String] = ["127.0.0.1:0"],
        owner makeOwner: @escaping @Sendable () -> Owner = { Owner() }
    ) throws {
        loop = try EventLoop()
        let listeners = try listen.map { try Listener.bind(ListenAddress(parsing: $0)) }
        addresses = listeners.map(\.address)
        let started = Promise<Void>()
        startThread { [self] in
            let owner = makeOwner()
            self.owner = owner
            do {
                let server = try Server(
                    loop: loop, listeners: listeners, configuration: configuration, delegate: owner)
                owner.server = server
                self.server = server
            } catch { preconditionFailure("\(error)") }
            started.fulfil(())
            loop.run(owner)
            server?.destroy()
            server = nil
            self.owner = nil
            ended.fulfil(())
        }
        started.wait()
    }

    var port: UInt16 {
        guard case .ip(_, let port) = addresses[0] else { return 0 }
        return port
    }

    /// Runs `body` on the loop's thread and waits for its result.
    func on<Value: Sendable>(_ body: @escaping @Sendable (Server, Owner) -> Value) -> Value {
        let result = Promise<Value>()
        loop.perform { [self] in
            guard let server, let owner else { preconditionFailure("the server is gone") }
            result.fulfil(body(server, owner))
        }
        return result.wait()
    }

    /// Waits until `condition` holds on the loop's thread.
    func eventually(within seconds: Double = 10, _ condition: @escaping @Sendable (Server, Owner) -> Bool) -> Bool {
        WebSocketsTests.eventually(within: seconds) { on(condition) }
    }

    func connect() throws -> RawClient { try RawClient(port: port) }

    /// The status of the answer to one request on a connection of its own.
    func status(_ line: String, _ fields: [String] = ["Host: localhost"]) throws -> Int {
        try connect().request(line, fields).status
    }

    /// A client whose upgrade is done.
    func open(_ path: String = "/ws", fields: [String] = []) throws -> RawClient {
        let client = try connect()
        try client.upgrade(path, fields: fields)
        return client
    }

    /// Ends the loop and frees the server; clients that are left are cut.
    func stop() {
        loop.stop()
        ended.wait()
    }
}

/// Runs `body` on a thread of its own with a server that lives as long.
func withServer<Value: Sendable>(
    _ configuration: ServerConfiguration = .init(), on listen: [String] = ["127.0.0.1:0"],
    owner: @escaping @Sendable () -> Owner = { Owner() },
    _ body: @escaping @Sendable (LiveServer) throws -> Value
) async throws -> Value {
    try await onThread {
        let server = try LiveServer(configuration, on: listen, owner: owner)
        defer { server.stop() }
        return try body(server)
    }
}

extension ServerConfiguration {
    /// The defaults with `change` applied.
    static func with(_ change: (inout ServerConfiguration) -> Void) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        change(&configuration)
        return configuration
    }
}
