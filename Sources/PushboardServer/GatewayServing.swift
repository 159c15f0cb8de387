import Pushboard
import WebSockets

/// HTTP and the life of sockets.
extension Gateway: ServerDelegate {
    func respond(to request: HTTPRequest) -> HTTPResponse {
        if base.lacksSlash(request.path) { return Pages.redirect(to: base.lastPart + "/") }
        let path = base.strip(request.path)
        switch path {
        case "/healthz": return Pages.health(true)
        case "/readyz": return Pages.health(shutdown == .none)
        case "/sign-in" where access.key != nil: return signIn(request)
        default: break
        }
        guard access.verdict(on: request) == .allowed else { return deny(request, Pages.needsKey) }
        if path == "/ws" { return Pages.upgradeRequired }
        site.refresh(now: loop.now)
        return site.response(
            path: path, method: request.method, ifNoneMatch: request.ifNoneMatch, acceptsGzip: request.acceptsGzip)
            ?? Pages.notFound
    }

    private func signIn(_ request: HTTPRequest) -> HTTPResponse {
        access.signIn(request, base: base) ?? deny(request, Pages.wrongKey)
    }

    private func deny(_ request: HTTPRequest, _ response: HTTPResponse) -> HTTPResponse {
        count(.accessKey, request.peer, "no valid access key")
        return response
    }

    func refusal(ofUpgrade request: HTTPRequest) -> HTTPResponse? {
        guard base.strip(request.path) == "/ws" else { return Pages.notFound }
        switch access.verdict(on: request) {
        case .allowed: return nil
        case .needsKey: return deny(request, Pages.needsKey)
        case .cookieWithoutOrigin: return deny(request, Pages.cookieWithoutOrigin)
        }
    }

    func opened(_ connection: Connection) { open(connection) }

    func received(text: [UInt8], on connection: Connection) { receive(text, on: connection) }

    func received(binary: [UInt8], on connection: Connection) {
        send(JSON.encode(ErrorMessage("bad_message", "Messages are text, not binary.")), on: connection)
        connection.close(code: 1003, reason: "binary")
    }

    func tooBig(on connection: Connection) {
        let limit = limits.messageBytes
        send(JSON.encode(ErrorMessage("bad_message", "A message has at most \(limit) bytes.")), on: connection)
    }

    func writable(_ connection: Connection) { pump(connection) }

    func closed(_ connection: Connection) { close(connection) }

    func denied(_ denial: Denial) { count(denial.kind, denial.peer, denial.detail) }

    private func count(_ kind: Denial.Kind, _ peer: PeerAddress, _ detail: String) {
        guard let count = denials.count(kind, at: loop.now) else { return }
        log.write(.warning, "denied.\(kind.rawValue)", detail: detail, peer: "\(peer)", count: count)
    }
}
