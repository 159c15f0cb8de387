internal import Glibc

/// Listening sockets of one address, open until `close()`.
public final class Listener: Sendable {
    /// The address that was asked for, with the real port after port 0.
    public let address: ListenAddress
    private let sockets: Locked<[ListeningSocket]>

    private init(address: ListenAddress, sockets: [ListeningSocket]) {
        self.address = address
        self.sockets = Locked(sockets)
    }

    /// Binds and listens. `localhost` and `*` open one socket per family, on the same port; a machine without IPv6 gets
    /// the IPv4 one. A unix socket left behind by a dead process is replaced.
    public static func bind(_ address: ListenAddress) throws(ListenError) -> Listener {
        switch address {
        case .unix(let path):
            return Listener(address: address, sockets: [try .unix(path)])
        case .ip(let host, let port):
            let (sockets, port) = try bind(host: host, port: port)
            return Listener(address: .ip(host: host, port: port), sockets: sockets)
        }
    }

    /// Closes the sockets and removes a unix socket's file, if it is still ours. Twice does nothing.
    public func close() {
        for socket in sockets.withLock({ exchange(&$0, with: []) }) { socket.close() }
    }

    package var descriptors: [Int32] { sockets.withLock { $0.map(\.descriptor) } }

    deinit { close() }

    private static func bind(host: String, port: UInt16) throws(ListenError) -> ([ListeningSocket], UInt16) {
        let hosts =
            switch host {
            case "localhost": ["127.0.0.1", "::1"]
            case "*": ["0.0.0.0", "::"]
            default: [host]
            }
        // With port 0 the second family may find the first one's port taken: then another is tried.
        var attempts = port == 0 ? 8 : 1
        while true {
            attempts -= 1
            do throws(ListenError) { return try bindAll(hosts, port: port) } catch {
                guard error.reason == .inUse, attempts > 0 else { throw error }
            }
        }
    }

    private static func bindAll(_ hosts: [String], port: UInt16) throws(ListenError) -> ([ListeningSocket], UInt16) {
        var sockets: [ListeningSocket] = []
        var port = port
        for host in hosts {
            do throws(ListenError) {
                let socket = try ListeningSocket.tcp(host: host, port: port)
                port = socket.port
                sockets.append(socket)
            } catch {
                if error.reason == .unavailable, !sockets.isEmpty { break }
                for socket in sockets { socket.close() }
                throw error
            }
        }
        return (sockets, port)
    }
}
