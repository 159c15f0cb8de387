@testable import WebSockets

extension HTTPRequest {
    /// A request as the gate lets it through.
    static func with(
        _ path: String = "/", from peer: String? = "127.0.0.1", by proxy: String? = nil, on listener: String = "*:8080",
        query: [(String, String)] = [], _ change: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> HTTPRequest {
        let client = peer.flatMap { IPAddress(parsing: $0) }
        let direct = proxy.flatMap { IPAddress(parsing: $0) } ?? client
        var request = HTTPRequest(
            method: "GET", path: path, rawPath: path,
            query: query.map { Parameter(name: $0.0, value: $0.1) }, host: "localhost",
            peer: PeerAddress(direct: direct, effective: client), listener: try ListenAddress(parsing: listener))
        change(&request)
        return request
    }
}
