import Glibc
import Pushboard
import Synchronization
import TestSupport
import Testing

@testable import PushboardServer
@testable import WebSockets

/// On real sockets, one after the other: what is looked at is a port's life.
@Suite("Serve", .serialized)
struct ServeTests {
    private let folder = TemporaryFolder()

    init() { folder.write("<!doctype html><title>page</title>".utf8, to: "index.html", mode: 0o644) }

    private func options(_ listen: String = "127.0.0.1:0") -> ServerOptions {
        var options = ServerOptions(listen: [listen], publicFolder: folder.path)
        options.handlesSignals = false
        options.stateFolder = folder.path
        return options
    }

    private func board(_ action: @escaping Action = { _ in }) -> Board {
        Board("T") {
            AsyncButton("b", action: action).times { $0.cancelGrace = .milliseconds(50) }
        }
    }

    /// Serves the board while `body` runs, then ends it by cancelling its task.
    private func serving(
        _ board: Board, _ options: ServerOptions, _ body: (UInt16, [ServedAddress]) async throws -> Void
    ) async throws {
        let (ready, continuation) = AsyncStream.makeStream(of: [ServedAddress].self)
        let task = Task {
            defer { continuation.finish() }
            try await board.serve(options) { continuation.yield($0) }
        }
        var served: [ServedAddress]?
        for await addresses in ready {
            served = addresses
            break
        }
        if let served {
            let port = served[0].url.split(separator: ":").last.flatMap { UInt16($0.prefix { $0 != "/" }) } ?? 0
            try await body(port, served)
        }
        task.cancel()
        try await task.value
    }

    private func isFree(_ port: UInt16) -> Bool {
        guard let listener = try? Listener.bind(.ip(host: "127.0.0.1", port: port)) else { return false }
        listener.close()
        return true
    }

    @Test("It answers while it is served; a cancelled task ends it and frees its port")
    func life() async throws {
        let seen = Mutex<UInt16>(0)
        try await serving(board(), options()) { port, served in
            #expect(served == [ServedAddress(url: "http://127.0.0.1:\(port)/", signIn: nil)])
            #expect(ask(port: port, "/healthz")?.hasPrefix("HTTP/1.1 200 ") == true)
            #expect(ask(port: port, "/readyz")?.hasPrefix("HTTP/1.1 200 ") == true)
            #expect(ask(port: port, "/")?.contains("<title>page</title>") == true)
            #expect(ask(port: port, "/ws")?.hasPrefix("HTTP/1.1 426 ") == true)
            #expect(!isFree(port))
            seen.withLock { $0 = port }
        }
        let port = seen.withLock { $0 }
        #expect(port != 0 && isFree(port) && ask(port: port, "/healthz") == nil)
    }

    @Test("Below a base path: with it, without it, and sent on where its slash is missing")
    func base() async throws {
        var options = options()
        options.base = "a/board"
        try await serving(board(), options) { port, served in
            #expect(served[0].url == "http://127.0.0.1:\(port)/a/board/")
            #expect(ask(port: port, "/a/board/healthz")?.hasPrefix("HTTP/1.1 200 ") == true)
            #expect(ask(port: port, "/healthz")?.hasPrefix("HTTP/1.1 200 ") == true)
            #expect(ask(port: port, "/a/board")?.contains("\r\nLocation: board/\r\n") == true)
        }
    }

    @Test("Several boards in one process, one after the other, and two at once")
    func several() async throws {
        for _ in 0..<3 {
            try await serving(board(), options()) { port, _ in
                #expect(ask(port: port, "/healthz")?.hasPrefix("HTTP/1.1 200 ") == true)
            }
        }
        try await serving(board(), options()) { one, _ in
            try await serving(board(), options()) { two, _ in
                #expect(one != two)
                for port in [one, two] { #expect(ask(port: port, "/healthz")?.hasPrefix("HTTP/1.1 200 ") == true) }
            }
            #expect(ask(port: one, "/healthz")?.hasPrefix("HTTP/1.1 200 ") == true, "the other's end is not its own")
        }
    }

    @Test("A run that does not stop is given up after its grace; the server ends all the same")
    func stubborn() async throws {
        let gate = Mutex(false)
        let board = board { _ in
            while !gate.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
        }
        try await serving(board, options()) { port, _ in
            let caller = Caller(connection: ConnectionID(1), client: "c", name: "n")
            await board.receive(Request(id: nil, button: "b", verb: .press(PressDetails())), from: caller)
            #expect(await !board.isQuiet)
        }
        gate.withLock { $0 = true }
    }

    @Test("A task that is cancelled before it begins serves nothing for long")
    func cancelledBefore() async throws {
        let board = board()
        let options = options()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await board.serve(options)
        }
        try await task.value
    }

    @Test("A board that is written wrongly is not served, and says all that is wrong")
    func configuration() async {
        let board = Board("T") {
            AsyncButton("b") { () in }
            AsyncButton("B") { () in }
            AsyncButton("👍") { () in }
        }
        let error = await #expect(throws: ConfigurationError.self) {
            try await board.serve(options()) { _ in Issue.record("it was served") }
        }
        #expect(error?.problems.count == 2)
    }

    @Test("A port that is taken, and a folder without a page: one line, and the board can be served elsewhere")
    func elsewhere() async throws {
        let taken = try Listener.bind(ListenAddress(parsing: "127.0.0.1:0"))
        defer { taken.close() }
        let board = board()
        await #expect(throws: ListenError.self) { try await board.serve(options("\(taken.address)")) }
        var noPage = options()
        noPage.publicFolder = folder.path + "/none"
        await #expect(throws: (any Error).self) { try await board.serve(noPage) }
        try await serving(board, options()) { port, _ in
            #expect(ask(port: port, "/healthz")?.hasPrefix("HTTP/1.1 200 ") == true)
        }
    }

    @Test("A board that was served is not served again")
    func again() async throws {
        let board = board()
        try await serving(board, options()) { _, _ in }
        let error = await #expect(throws: PushboardServer.ServerError.self) { try await board.serve(self.options()) }
        #expect(error?.description.contains("already") == true)
    }

    @Test("Beyond this machine: an access key, made once, and a link that signs in")
    func exposed() async throws {
        try await serving(board(), options("0.0.0.0:0")) { port, served in
            let signIn = try #require(served[0].signIn)
            #expect(folder.mode(of: "access-key") == 0o600)
            #expect(ask(port: port, "/")?.hasPrefix("HTTP/1.1 401 ") == true)
            #expect(ask(port: port, "/healthz")?.hasPrefix("HTTP/1.1 200 ") == true)
            let target = try #require(signIn.split(separator: "/").last)
            let answer = ask(port: port, "/\(target)")
            #expect(answer?.hasPrefix("HTTP/1.1 200 ") == true && answer?.contains("Set-Cookie: pushboard-") == true)
            #expect(ask(port: port, "/sign-in?key=x")?.hasPrefix("HTTP/1.1 403 ") == true)
        }
        var open = options("0.0.0.0:0")
        open.allowsUnauthenticated = true
        try await serving(board(), open) { port, served in
            #expect(served[0].signIn == nil && ask(port: port, "/")?.hasPrefix("HTTP/1.1 200 ") == true)
        }
    }

    @Test("Options that cannot be meant say which", arguments: ["--base", "--host", "--trusted-proxy", "--listen"])
    func badOptions(name: String) async {
        var options = options()
        switch name {
        case "--base": options.base = "a b"
        case "--host": options.hosts = ["a b"]
        case "--trusted-proxy": options.trustedProxies = ["x"]
        default: options.listen = []
        }
        let (board, changed) = (board(), options)
        let error = await #expect(throws: PushboardServer.ServerError.self) { try await board.serve(changed) }
        #expect(error?.description.contains(name) == true)
    }
}
