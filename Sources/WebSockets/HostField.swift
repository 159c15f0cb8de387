/// A parsed `Host`: RFC 9110 7.2, names of letters, digits, `-`, `_` and `.`, or an IP literal.
package struct HostField: Equatable {
    /// In lower case, without a final dot; an IPv6 literal in brackets.
    package let name: String
    package let port: UInt16?
    let isAddress: Bool

    package init?(parsing text: String) {
        var name = text[...]
        var port: UInt16?
        if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") {
            let digits = text[text.index(after: colon)...]
            guard let number = Self.port(digits) else { return nil }
            port = number
            name = text[..<colon]
        }
        guard let (lower, isAddress) = Self.name(name) else { return nil }
        self.name = lower
        self.port = port
        self.isAddress = isAddress
    }

    private static func port(_ digits: Substring) -> UInt16? {
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), digits.utf8.count <= 5 else { return nil }
        return UInt16(digits).flatMap { $0 == 0 ? nil : $0 }
    }

    private static func name(_ text: Substring) -> (String, Bool)? {
        if text.hasPrefix("[") {
            guard text.hasSuffix("]"), let address = IPAddress(parsing: String(text.dropFirst().dropLast())),
                text.contains(":")
            else { return nil }
            // The canonical spelling, so that [0:0::1] is [::1]; a mapped address keeps its own.
            return (address.isIPv4 ? text.lowercased() : "[\(address)]", true)
        }
        var lower = text.lowercased()
        if lower.hasSuffix(".") { lower.removeLast() }
        guard !lower.isEmpty, lower.utf8.count <= 253 else { return nil }
        guard !lower.hasPrefix("."), !lower.contains("..") else { return nil }
        guard lower.utf8.allSatisfy(isNameByte) else { return nil }
        return (lower, IPAddress(parsing: lower) != nil)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
        default: false
        }
    }
}
