import Pushboard
import Synchronization
import WebSockets

/// How far the end of a server is.
enum Shutdown: Hashable {
    case none
    /// Presses are refused, runs are being stopped, clients watch.
    case draining
    /// Goodbye was said and sockets are closing; a client that does not answer is cut after 2 s.
    case closing
}

extension Gateway {
    /// The first time drains, the second time gives up on runs that have not stopped, the third on clients.
    func beginShutdown() {
        switch shutdown {
        case .none:
            shutdown = .draining
            log.write(.info, "shutdown.draining")
            server.stopListening()
            board.assumeIsolated { $0.shutDown() }
        case .draining:
            board.assumeIsolated { $0.shutDown() }
        case .closing:
            loop.stop()
        }
    }

    /// Called at the end of every step of a turn, after what changed has gone out.
    func advanceShutdown() {
        guard shutdown == .draining, board.assumeIsolated({ $0.isQuiet }) else { return }
        shutdown = .closing
        let goodbye = JSON.encode(GoodbyeMessage(.shuttingDown, reconnectAfterMs: 1000))
        for connection in server.connections { send(goodbye, on: connection) }
        server.shutDown(code: 1001, reason: "shutting down") { [loop] in loop.stop() }
    }
}

/// Asks a server to end, from any thread; also before it runs.
final class StopSignal: Sendable {
    private struct State {
        var requests = 0
        var loop: EventLoop?
    }
    private let state = Mutex(State())

    func request() {
        let loop = state.withLock { state in
            state.requests += 1
            return state.loop
        }
        loop?.perform {}
    }

    func wakes(_ loop: EventLoop) { state.withLock { $0.loop = loop } }

    /// Whether one more request has come.
    func takeRequest() -> Bool {
        state.withLock { state in
            guard state.requests > 0 else { return false }
            state.requests -= 1
            return true
        }
    }
}
