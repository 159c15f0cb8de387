/// Decides from raw facts alone whether a request may reach the delegate.
public enum RequestGate {
    public enum Decision: Sendable {
        case request(HTTPRequest)
        case refuse(Refusal)
    }

    public struct Refusal: Error, Sendable {
        public let kind: Denial.Kind
        /// One line for the log.
        public let detail: String
        /// Always closes the connection: after a request that is not understood nothing that follows can be.
        public private(set) var response: HTTPResponse
        public let peer: PeerAddress

        init(_ kind: Denial.Kind, _ text: String, response: HTTPResponse, peer: PeerAddress) {
            self.kind = kind
            detail = text
            self.response = response
            self.response.closes = true
            self.peer = peer
        }

        /// A refusal whose answer is the text of its reason.
        init(
            _ kind: Denial.Kind, _ status: Int, _ text: String, headers: [(name: String, value: String)] = [],
            peer: PeerAddress
        ) {
            self.init(kind, text, response: .text(status, text, headers: headers), peer: peer)
        }
    }

    /// Where a request came from.
    public struct Arrival: Sendable {
        /// `nil`: a unix socket.
        public let direct: IPAddress?
        public let listener: ListenAddress
        public init(direct: IPAddress?, listener: ListenAddress) {
            self.direct = direct
            self.listener = listener
        }
    }

    public static func check(
        _ head: RequestHead, from arrival: Arrival, policy: RequestPolicy, limits: TransportLimits
    ) -> Decision {
        let check = RequestCheck(head: head, arrival: arrival, policy: policy, limits: limits)
        do throws(Refusal) { return .request(try check.run()) } catch { return .refuse(error) }
    }
}
