import WebSockets

/// The command line.
struct Options {
    private(set) var addresses: [ListenAddress] = []
    private(set) var configuration = ServerConfiguration()
    /// Instead of an echo, a frame of so many bytes to everybody.
    private(set) var broadcastBytes: Int?

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        // Conformance suites send messages of 16 MiB and let several of them wait.
        configuration.limits.messageBytes = 64 << 20
        configuration.limits.outboxBytes = 256 << 20
        var rest = arguments.makeIterator()
        while let name = rest.next() {
            guard let value = rest.next() else { throw UsageError(description: "\(name) needs a value") }
            switch name {
            case "--listen": try listen(value)
            case "--limit": try limit(value)
            case "--subprotocol": configuration.policy.subprotocol = value
            case "--broadcast": broadcastBytes = Int(value)
            default:
                let known = "--listen, --limit, --subprotocol and --broadcast"
                throw UsageError(description: "unknown option \(name); use \(known)")
            }
        }
        if addresses.isEmpty { try listen("127.0.0.1:9001") }
    }

    private mutating func listen(_ text: String) throws(UsageError) {
        do throws(ListenError) { addresses.append(try ListenAddress(parsing: text)) } catch {
            throw UsageError(description: error.description)
        }
    }

    private mutating func limit(_ text: String) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let value = Int(parts[1]), value >= 0, let path = Self.limits[String(parts[0])] else {
            let names = Self.limits.keys.sorted().joined(separator: ", ")
            throw UsageError(description: "--limit wants NAME=NUMBER with one of \(names)")
        }
        configuration.limits[keyPath: path] = value
    }

    private static var limits: [String: WritableKeyPath<TransportLimits, Int>] {
        [
            "connections": \.connections, "messageBytes": \.messageBytes, "outboxBytes": \.outboxBytes,
            "headerBytes": \.headerBytes, "requestSeconds": \.requestSeconds,
        ]
    }
}

struct UsageError: Error, CustomStringConvertible {
    let description: String
}
