/// What a request says before its body, as raw facts: only its shape was checked, everything in it may be hostile.
public struct RequestHead: Sendable, Equatable {
    public struct Field: Sendable, Equatable {
        /// In lower case.
        public let name: String
        /// Without the white space around it.
        public let value: String
        public init(_ name: String, _ value: String) {
            self.name = name.lowercased()
            self.value = value
        }
    }

    public var method: String
    /// As it was sent: printable ASCII.
    public var target: String
    /// As in `HTTP/1.1`.
    public var version: String
    /// In the order in which they came.
    public var fields: [Field]

    public init(method: String = "GET", target: String = "/", version: String = "HTTP/1.1", fields: [Field] = []) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
    }

    /// The values of all fields called `name` (in lower case).
    public func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// More fields than any client sends; each costs a scan.
    package static let maximumFields = 128

    /// Reads the bytes up to and with the empty line (RFC 9112 2, 3, 5); `nil`: not HTTP/1. Strict where leniency lets
    /// two readers see two messages: lines end with CR LF, a name ends at its colon, nothing is folded.
    public init?(parsing bytes: ArraySlice<UInt8>) {
        var lines = Lines(rest: bytes)
        guard let first = lines.next() else { return nil }
        let parts = first.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(Self.isToken) else { return nil }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        guard Self.isVersion(Array(parts[2])) else { return nil }
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
        version = String(decoding: parts[2], as: UTF8.self)
        fields = []
        while let line = lines.next() {
            if line.isEmpty {
                guard lines.rest.isEmpty else { return nil }
                return
            }
            guard let field = Self.field(line), fields.count < Self.maximumFields else { return nil }
            fields.append(field)
        }
        return nil
    }

    private static func field(_ line: ArraySlice<UInt8>) -> Field? {
        guard let colon = line.firstIndex(of: 0x3a), colon > line.startIndex else { return nil }
        guard line[..<colon].allSatisfy(isToken) else { return nil }
        let value = line[(colon + 1)...].drop(while: isBlank)
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { return nil }
        let end = value.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? value.startIndex
        let name = String(decoding: line[..<colon], as: UTF8.self)
        return Field(name, String(decoding: value[..<end], as: UTF8.self))
    }

    private static func isVersion(_ bytes: [UInt8]) -> Bool {
        bytes.count == 8 && bytes.starts(with: "HTTP/".utf8) && isDigit(bytes[5]) && bytes[6] == 0x2e
            && isDigit(bytes[7])
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// RFC 9110 5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e, 0x5f, 0x60, 0x7c, 0x7e: true
        default: false
        }
    }
}

/// Lines that end with CR LF, without it. A CR or LF alone ends the whole.
private struct Lines {
    var rest: ArraySlice<UInt8>

    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(where: { $0 == 0x0d || $0 == 0x0a }) else { return nil }
        guard rest[end] == 0x0d, end + 1 < rest.endIndex, rest[end + 1] == 0x0a else { return nil }
        defer { rest = rest[(end + 2)...] }
        return rest[..<end]
    }
}
