/// An answer. `Content-Length`, `Date` and `Connection` are added when it is sent; a HEAD request gets no body.
public struct HTTPResponse: Sendable {
    public var status: Int
    /// Names and values; bytes below 0x20 in them would split the response, so they trap.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// Ends the connection after it.
    public var closes: Bool

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], closes: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.closes = closes
    }

    /// A line of plain text.
    public static func text(_ status: Int, _ line: String, headers: [(name: String, value: String)] = [])
        -> HTTPResponse
    {
        let common = [
            (name: "Content-Type", value: "text/plain; charset=utf-8"),
            (name: "X-Content-Type-Options", value: "nosniff"),
            (name: "Content-Security-Policy", value: "default-src 'none'"),
        ]
        return HTTPResponse(status: status, headers: common + headers, body: Array("\(line)\n".utf8))
    }

    /// The reason phrase of RFC 9110; a phrase is decoration, so an unlisted status has none.
    static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 202: "Accepted"
        case 204: "No Content"
        case 303: "See Other"
        case 304: "Not Modified"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 423: "Locked"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }

    /// The head and, unless `method` is HEAD, the body. 204 and 304 have neither body nor length (RFC 9110 8.6, 15.4.5).
    func head(closing: Bool, date: String) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.phrase(status))\r\nDate: \(date)\r\n"
        for (name, value) in headers {
            precondition(!(name + value).utf8.contains { $0 < 0x20 || $0 == 0x7f }, "a control byte in header \(name)")
            text += "\(name): \(value)\r\n"
        }
        if status != 204 && status != 304 { text += "Content-Length: \(body.count)\r\n" }
        text += closing ? "Connection: close\r\n\r\n" : "\r\n"
        return Array(text.utf8)
    }
}
