import WebSockets

/// The few answers that are no files of the page.
enum Pages {
    static let needsKey = page(
        401, "Access key needed",
        "This board is reachable beyond its own machine, so it asks for its access key. Open the sign-in link that "
            + "the server printed when it started. Scripts send the key as a bearer token in the Authorization header.",
        headers: [("WWW-Authenticate", "Bearer realm=\"pushboard\"")])

    static let wrongKey = page(
        403, "This sign-in link is not valid",
        "The access key in it is not the board's. Open the link that the server printed when it last started.")

    static let signedIn = page(
        200, "Signed in", "The board opens in a moment.", headers: [("Refresh", "0; url=./")])

    static let cookieWithoutOrigin = HTTPResponse.text(
        403, "A socket without an Origin header may not use the cookie: send the key as a bearer token.")

    static let notFound = HTTPResponse.text(404, "There is nothing at this address.")

    static let upgradeRequired = HTTPResponse.text(
        426, "This address speaks WebSocket only.",
        headers: [("Upgrade", "websocket"), ("Cache-Control", "no-store")])

    static func health(_ isReady: Bool) -> HTTPResponse {
        let body = isReady ? #"{"status":"ok","warnings":[]}"# : #"{"status":"draining","warnings":[]}"#
        return HTTPResponse(
            status: isReady ? 200 : 503,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")], body: Array(body.utf8))
    }

    static func redirect(to location: String) -> HTTPResponse {
        HTTPResponse(status: 308, headers: [("Location", location), ("Cache-Control", "no-store")])
    }

    private static func page(
        _ status: Int, _ title: String, _ text: String, headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        let html = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(title)</title><style>\(style)</style><main><h1>\(title)</h1><p>\(text)</p></main></html>

            """
        let common: [(name: String, value: String)] = [
            ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
            ("Content-Security-Policy", "default-src 'none'; style-src 'sha256-\(styleHash)'"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        return HTTPResponse(status: status, headers: common + headers, body: Array(html.utf8))
    }

    /// These pages are shown to those who may not have the site's files, so they bring their look along.
    private static let style =
        ":root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-s"
        + "erif}body{max-width:34rem;margin:12vh auto;padding:0 1.5rem}h1{font-size:1.4rem}"
    /// The SHA-256 of `style` in Base64 (CSP Level 3, §2.3.1); a test compares them.
    private static let styleHash = "Md2EsoTwWveo75i95dwSTOzpbN27yymdnRkZguHjgtM="
}
