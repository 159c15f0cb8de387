import Pushboard
import WebSockets

/// Between the sockets and the board: reads messages, keeps what each connection was sent, and passes frames on.
///
/// `@unchecked Sendable`: everything in it is touched on the loop's thread alone, where lws calls it and where the
/// board's executor runs; `assumeIsolated` traps anywhere else.
final class Gateway: @unchecked Sendable {
    let board: Board
    let loop: EventLoop
    let log = Log()
    let limits: Limits
    var site: StaticSite
    let base: BasePath
    let access: Access
    var denials = DenialLog()
    var shutdown = Shutdown.none
    private let stop: StopSignal
    /// Set before the loop runs.
    unowned var server: Server!
    private var connections: [Pushboard.ConnectionID: Connection] = [:]
    private var subscribers: Set<Pushboard.ConnectionID> = []
    /// What turns the board's instants into the loop's.
    private let clockOffset: Duration

    init(board: Board, loop: EventLoop, site: StaticSite, base: BasePath, access: Access, stop: StopSignal) {
        self.board = board
        self.loop = loop
        self.site = site
        self.base = base
        self.access = access
        self.stop = stop
        limits = board.limits
        clockOffset = loop.now - board.now.elapsed
    }

    // MARK: Connections

    private func caller(of connection: Connection) -> Caller {
        let request = connection.request
        return Caller(
            connection: ConnectionID(connection.id.rawValue), client: RandomID.make(length: 12),
            name: CallerName.display(name: request.parameter("name"), guest: request.parameter("guest")))
    }

    func open(_ connection: Connection) {
        let caller = caller(of: connection)
        let request = connection.request
        let epoch = request.parameter("epoch")
        let seq = request.parameter("seq").flatMap { Int($0) }
        site.refresh(now: loop.now)
        let assets = site.hash
        let (hello, snapshot) = board.assumeIsolated { board in
            (board.hello(to: caller, assets: assets), board.snapshot(epoch: epoch, seq: seq))
        }
        connection.attachment = Session(caller: caller, snapshot: snapshot, limits: limits)
        connections[caller.connection] = connection
        send(hello, on: connection)
        pump(connection)
    }

    func close(_ connection: Connection) {
        let id = ConnectionID(connection.id.rawValue)
        connections[id] = nil
        subscribers.remove(id)
    }

    func session(of connection: Connection) -> Session? { connection.attachment as? Session }

    // MARK: Messages in

    func receive(_ text: [UInt8], on connection: Connection) {
        guard let session = session(of: connection), !connection.isClosing else { return }
        do throws(MalformedMessage) {
            answer(try ClientMessage(parsing: text), on: connection, session)
        } catch {
            refuse(error, on: connection, session)
        }
    }

    private func answer(_ message: ClientMessage, on connection: Connection, _ session: Session) {
        switch message {
        case .request(let request):
            answer(request, on: connection, session)
        case .ping(let id):
            send(JSON.encode(PongMessage(id: id)), on: connection)
        case .snapshot(let id):
            send(Answer(id, .ok), on: connection)
            session.snapshot = board.assumeIsolated { $0.snapshot() }
            pump(connection)
        case .subscribeToRuns(let id, let log, let after):
            let start = board.assumeIsolated { $0.startOfSubscription(log: log, after: after) }
            var answer = Answer(id, .ok)
            answer.gap = start.gap
            send(answer, on: connection)
            session.runCursor = start.after
            subscribers.insert(session.caller.connection)
            pump(connection)
        case .unsubscribeFromRuns(let id):
            session.runCursor = nil
            subscribers.remove(session.caller.connection)
            send(Answer(id, .ok), on: connection)
        }
    }

    private func answer(_ request: Request, on connection: Connection, _ session: Session) {
        if request.verb.countsAsPress, case .wait(let time) = session.presses.admit(at: loop.now) {
            send(Answer(request.id, refused: Refusal(.rateLimited, retryAfter: time)), on: connection)
        } else {
            let caller = session.caller
            board.assumeIsolated { $0.receive(request, from: caller) }
        }
    }

    private func refuse(_ malformed: MalformedMessage, on connection: Connection, _ session: Session) {
        send(JSON.encode(ErrorMessage(malformed)), on: connection)
        _ = session.malformed.admit(at: loop.now)
        guard session.malformed.isFull(at: loop.now) else { return }
        connection.close(code: 1008, reason: "too many malformed messages")
    }

    // MARK: Frames out

    func send(_ bytes: [UInt8], on connection: Connection) {
        guard connection.send(SharedFrame(text: bytes)) == .overflow else { return }
        hangUp(connection)
    }

    private func send(_ answer: Answer, on connection: Connection) {
        send(board.assumeIsolated { $0.encode(answer) }, on: connection)
    }

    /// Who cannot keep up is told so and comes back with its position; nothing is dropped silently.
    private func hangUp(_ connection: Connection) {
        _ = connection.send(SharedFrame(text: JSON.encode(GoodbyeMessage(.lagged, reconnectAfterMs: 0))))
        connection.close(code: 4008, reason: "lagged")
    }

    /// Sends what the connection lacks for as long as its socket takes it: run events, then a snapshot, then state.
    func pump(_ connection: Connection) {
        guard let session = session(of: connection) else { return }
        while connection.isWritableNow {
            guard let bytes = nextFrame(for: session, on: connection) else { return }
            connection.write(SharedFrame(text: bytes))
        }
        connection.requestWritable()
    }

    private func nextFrame(for session: Session, on connection: Connection) -> [UInt8]? {
        if let bytes = nextRunEvent(for: session, on: connection) { return bytes }
        guard !connection.isClosing else { return nil }
        if let snapshot = session.snapshot {
            let (part, rest) = board.assumeIsolated { $0.part(of: snapshot) }
            session.snapshot = rest
            if rest == nil { session.sent = part.seq }
            return part.bytes
        }
        let sent = session.sent
        guard let frame = board.assumeIsolated({ $0.changes(after: sent) }) else { return nil }
        session.sent = frame.seq
        return frame.bytes
    }

    private func nextRunEvent(for session: Session, on connection: Connection) -> [UInt8]? {
        guard let cursor = session.runCursor else { return nil }
        switch board.assumeIsolated({ $0.runEvent(after: cursor) }) {
        case .frame(let bytes):
            session.runCursor = cursor + 1
            return bytes
        case .caughtUp:
            return nil
        case .forgotten:
            hangUp(connection)
            return nil
        }
    }

    /// One frame for all who have everything before it; the others get what they lack when they can take it.
    private func broadcast(_ frame: Feed.Frame, after before: Int) {
        let shared = SharedFrame(text: frame.bytes)
        for connection in server.connections {
            guard let session = session(of: connection) else { continue }
            if session.hasEverything(upTo: before), connection.isWritableNow, isCaughtUpOnRuns(session) {
                connection.write(shared)
                session.sent = frame.seq
                if frame.isLast { continue }
            }
            connection.requestWritable()
        }
    }

    private func isCaughtUpOnRuns(_ session: Session) -> Bool {
        guard let cursor = session.runCursor else { return true }
        return board.assumeIsolated { $0.newestRunEvent } == cursor
    }
}

extension Gateway: BoardTransport {
    func isOpen(_ connection: Pushboard.ConnectionID) -> Bool { connections[connection] != nil }

    func deliver(_ frame: [UInt8], to connection: Pushboard.ConnectionID) {
        guard let connection = connections[connection] else { return }
        send(frame, on: connection)
    }

    func deliver(runEvent frame: [UInt8], number: Int, watchers: Set<Pushboard.ConnectionID>) {
        for id in watchers where !subscribers.contains(id) { deliver(frame, to: id) }
        guard !subscribers.isEmpty else { return }
        let shared = SharedFrame(text: frame)
        for id in subscribers {
            guard let connection = connections[id], let session = session(of: connection) else { continue }
            if session.runCursor == number - 1, connection.isWritableNow {
                connection.write(shared)
                session.runCursor = number
            } else {
                connection.requestWritable()
            }
        }
    }
}

extension Gateway: TurnHandler {
    func flush() {
        sendChanges()
        if stop.takeRequest() {
            beginShutdown()
            sendChanges()
        }
        advanceShutdown()
    }

    private func sendChanges() {
        let (before, frame) = board.assumeIsolated { board in (board.head, board.flush()) }
        if let frame { broadcast(frame, after: before) }
    }

    var nextDeadline: Duration? { board.assumeIsolated { $0.nextDeadline }.map { $0.elapsed + clockOffset } }

    func runDueTimers(now: Duration) { board.assumeIsolated { $0.runDueTimers() } }
}

extension Request.Verb {
    fileprivate var countsAsPress: Bool {
        switch self {
        case .press, .retry: true
        case .cancel, .dismiss, .lookup: false
        }
    }
}
