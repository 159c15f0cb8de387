import Glibc
import Pushboard
import WebSockets

/// Options that were understood, with everything bound and loaded that can fail.
struct ServingPlan: Sendable {
    private let options: ServerOptions
    private let listeners: [Listener]
    private let base: BasePath
    private let access: Access
    private let configuration: ServerConfiguration

    /// - Throws: one line that says what to do.
    init(_ options: ServerOptions, limits: Limits) throws {
        self.options = options
        base = try BasePath(options.base)
        configuration = try Self.configuration(options, limits)
        // The page is looked at before anything is bound, so that a failure leaves nothing behind.
        let site = try StaticSite(folder: options.publicFolder)
        guard site.response(path: "/", method: "GET") != nil else {
            throw ServerError("\(options.publicFolder) has no index.html: name the folder of the page with --public.")
        }
        let addresses = try options.listen.map { try ListenAddress(parsing: $0) }
        guard !addresses.isEmpty else {
            throw ServerError("there is no address to listen on: give --listen HOST:PORT.")
        }
        access = Access(key: try Self.accessKey(options, addresses))
        listeners = try addresses.map { try Listener.bind($0) }
    }

    /// Runs on the calling thread until the server has ended.
    func run(_ board: Board, stop: StopSignal, ready: @escaping @Sendable ([ServedAddress]) -> Void) throws {
        defer { for listener in listeners { listener.close() } }
        let loop = try EventLoop()
        let gateway = Gateway(
            board: board, loop: loop, site: try StaticSite(folder: options.publicFolder), base: base, access: access,
            stop: stop)
        let server = try Server(loop: loop, listeners: listeners, configuration: configuration, delegate: gateway)
        defer { server.destroy() }
        gateway.server = server
        board.executor.attach(LoopHost(loop: loop))
        defer { board.executor.detach() }
        let signals = options.handlesSignals ? loop.onSignal([SIGTERM, SIGINT]) { _ in stop.request() } : nil
        defer { signals?.cancel() }
        stop.wakes(loop)
        loop.perform {
            board.assumeIsolated { $0.attach(gateway) }
            ready(served)
        }
        loop.run(gateway)
    }

    private var served: [ServedAddress] {
        listeners.map { listener in
            guard case .ip(let host, let port) = listener.address else {
                return ServedAddress(url: "\(listener.address)", signIn: nil)
            }
            let url = "http://\(Self.reachable(host)):\(port)\(base.text)"
            let needsKey = !listener.address.isLoopback
            return ServedAddress(url: url, signIn: needsKey ? access.key.map { "\(url)sign-in?key=\($0.secret)" } : nil)
        }
    }

    /// How a person on this machine or beyond writes the host of a listener.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "*", "0.0.0.0", "::": machineName ?? "localhost"
        default: host.contains(":") ? "[\(host)]" : host
        }
    }

    private static func accessKey(_ options: ServerOptions, _ addresses: [ListenAddress]) throws -> AccessKey? {
        let isExposed = addresses.contains { !$0.isLoopback } || !options.trustedProxies.isEmpty
        guard isExposed, !options.allowsUnauthenticated else { return nil }
        return try AccessKey(in: options.stateFolder ?? StateFolder.standard())
    }

    private static func configuration(_ options: ServerOptions, _ limits: Limits) throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.limits = TransportLimits(limits)
        configuration.policy.subprotocol = "pushboard.v1"
        configuration.policy.machineName = machineName
        configuration.policy.allowedHosts = try options.hosts.map { text in
            guard let rule = HostRule(parsing: text) else {
                throw ServerError("--host \(text): write a name, or a name and a port, as in board.example:8443.")
            }
            return rule
        }
        configuration.policy.trustedProxies = try options.trustedProxies.map { text in
            guard let range = CIDR(parsing: text) else {
                throw ServerError("--trusted-proxy \(text): write an address or a range, as in 10.0.0.0/8.")
            }
            return range
        }
        return configuration
    }

    private static var machineName: String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? nil : name.lowercased()
    }
}

extension TransportLimits {
    /// The part of a board's limits that the transport keeps.
    init(_ limits: Limits) {
        self.init()
        connections = limits.connections
        connectionsPerAddress = limits.connectionsPerAddress
        handshakesPerSecond = limits.handshakesPerSecond
        connectionsPerAddressCountsLocal = limits.countsLocal.contains("connectionsPerAddress")
        handshakesPerSecondCountsLocal = limits.countsLocal.contains("handshakesPerSecond")
        messageBytes = limits.messageBytes
        headerBytes = limits.headerBytes
        bodyBytes = limits.bodyBytes
        requestSeconds = limits.requestSeconds
        outboxBytes = limits.outboxBytes
    }
}

/// Runs a board's jobs on a server's loop.
final class LoopHost: BoardExecutor.Host {
    private let loop: EventLoop

    init(loop: EventLoop) { self.loop = loop }

    var isCurrent: Bool { loop.isCurrent }

    func enqueue(_ job: UnownedJob, on executor: UnownedSerialExecutor) { unsafe loop.enqueue(job, on: executor) }
}
