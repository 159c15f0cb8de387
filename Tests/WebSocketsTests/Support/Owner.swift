import WebSockets

/// Notes what a server tells it and echoes messages. Belongs to the loop's thread.
class Owner: ServerDelegate, TurnHandler {
    var opened: [ConnectionID] = []
    var closed: [ConnectionID] = []
    var requests: [HTTPRequest] = []
    var messages: [Int] = []
    var denials: [Denial] = []
    var writableCount = 0
    weak var server: Server?
    var watch: SignalWatch?

    func flush() {}
    var nextDeadline: Duration? { nil }
    func runDueTimers(now: Duration) {}

    func respond(to request: HTTPRequest) -> HTTPResponse {
        requests.append(request)
        if request.path.hasPrefix("/large/"), let size = Int(request.path.dropFirst("/large/".count)) {
            return HTTPResponse(status: 200, body: [UInt8](repeating: 0x78, count: size))
        }
        return .text(200, "\(request.method) \(request.path) \(request.body.count)")
    }

    func refusal(ofUpgrade request: HTTPRequest) -> HTTPResponse? {
        requests.append(request)
        return request.path == "/ws" ? nil : .text(404, "There is no socket here.")
    }

    func opened(_ connection: Connection) { opened.append(connection.id) }

    func received(text: [UInt8], on connection: Connection) {
        messages.append(text.count)
        connection.send(SharedFrame(text: text))
    }

    func received(binary: [UInt8], on connection: Connection) {
        messages.append(binary.count)
        connection.send(SharedFrame(binary: binary))
    }

    func tooBig(on connection: Connection) { connection.send(SharedFrame(text: "too big")) }
    func writable(_ connection: Connection) { writableCount += 1 }
    func closed(_ connection: Connection) { closed.append(connection.id) }
    func denied(_ denial: Denial) { denials.append(denial) }
}
