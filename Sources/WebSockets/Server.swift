internal import CLibwebsockets

/// Serves HTTP and WebSocket on an `EventLoop`. Belongs to the loop's thread, or to the thread that will call `run`.
public final class Server {
    /// The open WebSockets, in no order, ready for a broadcast.
    public private(set) var connections: [Connection] = []
    public weak var delegate: (any ServerDelegate)?

    /// Starts to accept on `listeners` as soon as the loop runs. Throws `ServerError` with one line that says what to do.
    public init(
        loop: EventLoop, listeners: [Listener], configuration: ServerConfiguration, delegate: any ServerDelegate
    ) throws(ServerError) {
        self.delegate = delegate
    }

    /// Closes the listeners; open connections stay.
    public func stopListening() {}
    /// Closes every open WebSocket, as `Connection.close` does, and idle HTTP connections.
    public func closeAll(code: UInt16, reason: String) {}
    /// `stopListening`, `closeAll`, then `completion` once when every socket is gone (a silent client is cut after 2 s).
    public func shutDown(code: UInt16, reason: String, completion: @escaping () -> Void) {}
    /// Frees everything; open sockets are cut. Call it outside of delegate calls, before the loop goes.
    public func destroy() {}
    /// WebSockets opened since the start.
    public private(set) var openedCount = 0
    /// Sockets accepted and destroyed since the start.
    public private(set) var acceptedCount = 0
    public private(set) var destroyedCount = 0
    /// Sockets alive now, HTTP included.
    public var socketCount: Int { acceptedCount - destroyedCount }
    /// The limit of open files that the server has set for the process.
    public private(set) var descriptorLimit = 0
}

/// Why a server could not be made, as one line that says what to do.
public struct ServerError: Error, CustomStringConvertible {
    public let description: String
}
