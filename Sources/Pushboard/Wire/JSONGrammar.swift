/// Whether bytes are one JSON text by the letter of RFC 8259. The decoder is more lenient, and does not look at all into
/// members that nobody asks for.
struct JSONGrammar {
    private let bytes: [UInt8]
    private var index = 0

    /// Deeper nesting is refused: the bound of the recursion, here and in the decoder.
    private static let maximumDepth = 64

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func accepts(_ bytes: [UInt8]) -> Bool {
        var grammar = JSONGrammar(bytes)
        return grammar.value(depth: 0) && grammar.next == nil
    }

    /// The next byte that is no white space (section 2).
    private var next: UInt8? {
        mutating get {
            while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { index += 1 }
            return current
        }
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: wanted) else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        guard depth <= Self.maximumDepth, let first = next else { return false }
        switch first {
        case UInt8(ascii: "{"): return list(to: "}") { $0.member(depth: depth + 1) }
        case UInt8(ascii: "["): return list(to: "]") { $0.value(depth: depth + 1) }
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func list(to end: Unicode.Scalar, of element: (inout JSONGrammar) -> Bool) -> Bool {
        index += 1
        if next == UInt8(ascii: end) { return take(end) }
        while element(&self) {
            guard next == UInt8(ascii: ",") else { return take(end) }
            index += 1
        }
        return false
    }

    private mutating func member(depth: Int) -> Bool {
        guard next == UInt8(ascii: "\""), string(), next == UInt8(ascii: ":") else { return false }
        index += 1
        return value(depth: depth)
    }

    private mutating func word(_ text: StaticString) -> Bool {
        let wanted = "\(text)".utf8
        guard bytes[index...].starts(with: wanted) else { return false }
        index += wanted.count
        return true
    }

    /// Section 6: no leading zero, no bare point, no plus.
    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0"), !digits() { return false }
        if take("."), !digits() { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = index
        while let byte = current, (0x30...0x39).contains(byte) { index += 1 }
        return index > start
    }

    /// Section 7: no control characters, eight short escapes, `\u` with four digits. That the text is UTF-8 has been
    /// seen to by the socket.
    private mutating func string() -> Bool {
        index += 1
        while let byte = current {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"): guard escape() else { return false }
            case 0x00..<0x20: return false
            default: break
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let byte = current else { return false }
        index += 1
        guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
        let digits = bytes[index...].prefix(4)
        index += digits.count
        return digits.count == 4 && digits.allSatisfy(Self.isHexadecimal)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
