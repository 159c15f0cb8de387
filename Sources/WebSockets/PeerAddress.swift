/// Who sent a request.
public struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The other end of the socket; `nil`: a unix socket.
    public let direct: IPAddress?
    /// The client: `direct`, or what a trusted proxy says.
    public let effective: IPAddress?

    public init(direct: IPAddress?, effective: IPAddress?) {
        self.direct = direct
        self.effective = effective
    }

    /// Whether the client is on this machine.
    public var isLocal: Bool { effective?.isLoopback ?? true }

    public var description: String { effective?.description ?? "local" }
}
