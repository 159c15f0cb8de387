import WebSockets

/// Who may use the board: whoever is on this machine, and beyond it whoever has the access key.
struct Access: Sendable {
    enum Verdict: Equatable {
        case allowed
        /// Neither cookie nor bearer token, or a wrong one.
        case needsKey
        /// A socket that brings the cookie but no `Origin`: no browser of ours opens one.
        case cookieWithoutOrigin
    }

    /// `nil` = open to all who can connect.
    let key: AccessKey?

    func verdict(on request: HTTPRequest) -> Verdict {
        guard let key, !isLocal(request) else { return .allowed }
        if let token = bearerToken(of: request) { return key.matches(token) ? .allowed : .needsKey }
        guard let cookie = cookie(of: request, named: key.cookieName), key.matches(cookie) else { return .needsKey }
        return request.isUpgrade && request.origin == nil ? .cookieWithoutOrigin : .allowed
    }

    /// The page that stores the key as a cookie and goes on to the board, or `nil` for a wrong key.
    ///
    /// The page goes on by itself instead of redirecting: a browser that came from another site would not send a
    /// `SameSite=Strict` cookie along a redirect.
    func signIn(_ request: HTTPRequest, base: BasePath) -> HTTPResponse? {
        guard let key, let candidate = request.parameter("key"), key.matches(candidate) else { return nil }
        let secure = request.isSecure ? "; Secure" : ""
        let cookie =
            "\(key.cookieName)=\(key.secret); Path=\(base.text); Max-Age=31536000; HttpOnly; SameSite=Strict\(secure)"
        var response = Pages.signedIn
        response.headers.append(("Set-Cookie", cookie))
        return response
    }

    /// On this machine, through a listener that only this machine reaches.
    private func isLocal(_ request: HTTPRequest) -> Bool { request.listener.isLoopback && request.peer.isLocal }

    /// RFC 6750 §2.1.
    private func bearerToken(of request: HTTPRequest) -> Substring? {
        guard let header = request.authorization, header.lowercased().hasPrefix("bearer ") else { return nil }
        let token = header.dropFirst("bearer ".count)
        return token.drop { $0 == " " }
    }

    private func cookie(of request: HTTPRequest, named name: String) -> Substring? {
        for pair in (request.cookie ?? "").split(separator: ";") {
            let trimmed = pair.drop { $0 == " " }
            if trimmed.hasPrefix(name + "=") { return trimmed.dropFirst(name.count + 1) }
        }
        return nil
    }
}
