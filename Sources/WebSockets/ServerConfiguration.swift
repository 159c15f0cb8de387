/// How a server behaves, fixed for its life.
public struct ServerConfiguration: Sendable {
    public var limits = TransportLimits()
    public var policy = RequestPolicy()
    /// Silence of a client, in seconds, after which it is pinged; 0: never.
    public var pingSeconds = 20
    /// Silence of a client, in seconds, after which it is hung up; greater than `pingSeconds`.
    public var hangupSeconds = 45

    public init() {}
}

/// What a server tells its owner. All calls come on the loop's thread.
public protocol ServerDelegate: AnyObject {
    /// Answers a plain HTTP request that passed the gate.
    func respond(to request: HTTPRequest) -> HTTPResponse
    /// The answer that refuses an upgrade which passed the gate; `nil` accepts it.
    func refusal(ofUpgrade request: HTTPRequest) -> HTTPResponse?
    /// The upgrade is done; frames may be sent.
    func opened(_ connection: Connection)
    /// One whole message, valid UTF-8, at most `messageBytes`.
    func received(text: [UInt8], on connection: Connection)
    /// One whole message, at most `messageBytes`.
    func received(binary: [UInt8], on connection: Connection)
    /// A message is longer than `messageBytes`. A frame sent now goes out before the server closes with 1009.
    func tooBig(on connection: Connection)
    /// Once after `requestWritable`: the outbox is empty and the socket takes more.
    func writable(_ connection: Connection)
    /// Once for each `opened`: it has left `connections`, and nothing can be sent any more.
    func closed(_ connection: Connection)
    /// Somebody was turned away: to be counted and logged.
    func denied(_ denial: Denial)
}

/// Somebody who was turned away, and why.
public struct Denial: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case badRequest, host, origin, cookie, method, version, target, upgrade, subprotocol, body, headerSize
        case connections, connectionsPerAddress, handshakes, requestTimeout, descriptors
        /// Turned away by the delegate, which asks for a key that the transport knows nothing of.
        case accessKey
    }

    public let kind: Kind
    /// The client, as far as it is known.
    public let peer: PeerAddress
    /// One line for the log: may repeat parts of the request, so it must be escaped there.
    public let detail: String
}
