/// What a request says before its body, as raw facts: nothing is judged here, everything may be hostile.
public struct RequestHead: Sendable {
    public enum Field: Sendable, Hashable, CaseIterable {
        case host, origin, connection, upgrade, webSocketKey, webSocketVersion, webSocketProtocol
        case cookie, authorization, ifNoneMatch, acceptEncoding, userAgent, secFetchSite
        case contentType, contentLength, transferEncoding, spacedContentLength, spacedTransferEncoding
        case forwardedFor, forwardedProto, forwardedHost
    }

    /// In capitals; `nil`: none that the engine knows, or several.
    public var method: String?
    /// The decoded path. More than one part: it had `&` or `;` in it, which the engine takes for separators.
    public var path: [[UInt8]]
    /// The decoded parameters, `name=value` each.
    public var query: [[UInt8]]
    /// As in `HTTP/1.1`.
    public var version: String
    /// False: the first line held an encoded line end or zero, which the engine acts upon, so that what seems to be
    /// fields may come from the path.
    public var isIntact: Bool
    /// All values of each field that occurred, in order.
    public var fields: [Field: [String]]
    /// Bytes of the first line and the fields, as far as they are known.
    public var byteCount: Int

    public init(
        method: String? = "GET", path: String = "/", query: [String] = [], version: String = "HTTP/1.1",
        isIntact: Bool = true, fields: [Field: [String]] = [:], byteCount: Int = 0
    ) {
        self.method = method
        self.path = [Array(path.utf8)]
        self.query = query.map { Array($0.utf8) }
        self.version = version
        self.isIntact = isIntact
        self.fields = fields
        self.byteCount = byteCount
    }
}
