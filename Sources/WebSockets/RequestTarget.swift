/// A request's target, decoded once (RFC 9112 3.2.1, RFC 3986 2.1).
package struct RequestTarget: Equatable {
    /// The path as it was sent.
    package let rawPath: String
    package let path: String
    package let query: [HTTPRequest.Parameter]

    /// `nil`: malformed, or a path with `.` or `..` segments, control bytes or a backslash in any encoding.
    /// The absolute form is accepted for the `host` that the request names.
    package init?(parsing target: String, host: String) {
        var rest = target[...]
        let absolute = "http://\(host)"
        if rest.lowercased().hasPrefix(absolute.lowercased()) { rest = rest.dropFirst(absolute.count) }
        guard rest.hasPrefix("/"), !rest.contains("#") else { return nil }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = Self.decode(parts[0]), Self.isPlain(path) else { return nil }
        rawPath = String(parts[0])
        self.path = path
        guard let query = Self.parameters(parts.count == 2 ? parts[1] : "") else { return nil }
        self.query = query
    }

    private static func isPlain(_ path: String) -> Bool {
        guard !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == 0x5c }) else { return false }
        return !path.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    private static func parameters(_ text: Substring) -> [HTTPRequest.Parameter]? {
        var parameters: [HTTPRequest.Parameter] = []
        for item in text.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(parts[0], plusIsSpace: true) else { return nil }
            guard let value = decode(parts.count == 2 ? parts[1] : "", plusIsSpace: true) else { return nil }
            parameters.append(.init(name: name, value: value))
        }
        return parameters
    }

    /// `nil`: a `%` without two hexadecimal digits, or no UTF-8.
    private static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case 0x25:
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                bytes.append(high << 4 | low)
            case 0x2b where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
