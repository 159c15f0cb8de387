import WebSockets

/// Echoes every message: the bare library under conformance suites and fuzzers.
///
///     EchoServer --listen 127.0.0.1:9001 [--limit NAME=VALUE]... [--subprotocol NAME] [--broadcast BYTES]
///
/// With `--broadcast` each message makes one frame of that many bytes for everybody: what a broadcast costs.
@main enum EchoServer {
    static func main() {
        do throws(UsageError) { try serve(Options(CommandLine.arguments.dropFirst())) } catch {
            Output.line(error.description)
            Output.exit(2)
        }
    }

    private static func serve(_ options: Options) throws(UsageError) {
        do {
            let loop = try EventLoop()
            let listeners = try options.addresses.map { (address) throws(ListenError) in try Listener.bind(address) }
            let owner = Echo(broadcastBytes: options.broadcastBytes)
            let server = try Server(
                loop: loop, listeners: listeners, configuration: options.configuration, delegate: owner)
            owner.server = server
            let watch = loop.onSignal([2, 15]) { _ in
                server.shutDown(code: 1001, reason: "shutting down") { loop.stop() }
            }
            Output.line("open files: \(server.descriptorLimit)")
            for listener in listeners { Output.line("listening on \(listener.address)") }
            loop.run(owner)
            watch.cancel()
            server.destroy()
        } catch {
            throw UsageError(description: "EchoServer: \(error)")
        }
    }
}

/// Sends back what comes, or a frame to everybody.
final class Echo: ServerDelegate, TurnHandler {
    let nextDeadline: Duration? = nil
    weak var server: Server?
    private let broadcast: SharedFrame?

    init(broadcastBytes: Int?) {
        broadcast = broadcastBytes.map { SharedFrame(text: [UInt8](repeating: 0x78, count: $0)) }
    }

    func flush() {}
    func runDueTimers(now: Duration) {}

    func respond(to request: HTTPRequest) -> HTTPResponse { .text(200, "echo") }
    func refusal(ofUpgrade request: HTTPRequest) -> HTTPResponse? { nil }
    func opened(_ connection: Connection) {}
    func received(text: [UInt8], on connection: Connection) { send(SharedFrame(text: text), on: connection) }
    func received(binary: [UInt8], on connection: Connection) { send(SharedFrame(binary: binary), on: connection) }
    func tooBig(on connection: Connection) {}
    func writable(_ connection: Connection) {}
    func closed(_ connection: Connection) {}
    func denied(_ denial: Denial) {}

    private func send(_ frame: SharedFrame, on connection: Connection) {
        if let broadcast, let server {
            for connection in server.connections { connection.send(broadcast) }
            return
        }
        if connection.send(frame) == .overflow { connection.close(code: 1008, reason: "the client does not read") }
    }
}
