/// Why a listening socket could not be had, as one line that says what to do.
public struct ListenError: Error, Equatable, CustomStringConvertible {
    public enum Reason: Sendable {
        /// Not an address that can be listened on.
        case badAddress
        /// Another program listens there.
        case inUse
        /// The system forbids it (a port below 1024, a folder that is not ours).
        case forbidden
        /// This machine has no such address or no such folder.
        case unavailable
        /// Anything else the system said.
        case system
    }

    public let reason: Reason
    public let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
