/// Reads one JSON text strictly by RFC 8259, in one pass, in time that grows with its length alone.
///
/// The decoder of FoundationEssentials takes what is no JSON (raw control characters, `01`, `{"a":1,}`, UTF-16) and a
/// minute for 60 KB of nested lists; here a client decides about both.
struct JSONReader {
    /// A text that is no JSON, or none that is read here.
    struct Failure: Error, Equatable {
        let description: String
        /// Bytes before the place.
        let offset: Int
    }

    /// Lists and objects in one another. Deeper is refused: reading them costs stack.
    static let deepest = 64

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func read(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        var reader = JSONReader(bytes)
        reader.skipSpace()
        let value = try reader.value()
        reader.skipSpace()
        guard reader.next == nil else { throw reader.failure("something follows the end") }
        return value
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func failure(_ description: String) -> Failure { Failure(description: description, offset: position) }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    /// Whether `byte` comes next; then it is read.
    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(Failure) -> JSONValue {
        switch next {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .list(try list())
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        guard bytes[position...].starts(with: "\(word)".utf8) else { throw failure("no value") }
        position += word.utf8CodeUnitCount
        return value
    }

    private mutating func enter() throws(Failure) {
        position += 1
        depth += 1
        guard depth <= Self.deepest else { throw failure("nested too deeply") }
        skipSpace()
    }

    private mutating func list() throws(Failure) -> [JSONValue] {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        if take("]") { return elements }
        while true {
            elements.append(try value())
            skipSpace()
            if take("]") { return elements }
            guard take(",") else { throw failure("no comma") }
            skipSpace()
        }
    }

    private mutating func object() throws(Failure) -> [String: JSONValue] {
        try enter()
        defer { depth -= 1 }
        var members: [String: JSONValue] = [:]
        if take("}") { return members }
        while true {
            try member(into: &members)
            skipSpace()
            if take("}") { return members }
            guard take(",") else { throw failure("no comma") }
            skipSpace()
        }
    }

    /// A name that comes twice is refused: readers differ in which of the two they take (RFC 8259, section 4).
    private mutating func member(into members: inout [String: JSONValue]) throws(Failure) {
        guard next == UInt8(ascii: "\"") else { throw failure("no name") }
        let name = try text()
        skipSpace()
        guard take(":") else { throw failure("no colon") }
        skipSpace()
        guard members.updateValue(try value(), forKey: name) == nil else { throw failure("a name comes twice") }
    }
}

// MARK: Numbers

extension JSONReader {
    private mutating func number() throws(Failure) -> JSONValue {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        var isWhole = true
        if take(".") {
            isWhole = false
            try digits()
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let whole = Int64(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite else { throw failure("the number is too large") }
        return JSONValue(number)
    }

    private mutating func digits() throws(Failure) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw failure("no value") }
    }
}

// MARK: Strings

extension JSONReader {
    private mutating func text() throws(Failure) -> String {
        position += 1
        var decoded: [UInt8] = []
        while true {
            let start = position
            while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                position += 1
            }
            decoded += bytes[start..<position]
            if take("\"") { break }
            guard take("\\") else { throw failure("the string does not end") }
            decoded += UTF8.encode(try escaped())!
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw failure("no UTF-8") }
        return text
    }

    private mutating func escaped() throws(Failure) -> Unicode.Scalar {
        guard let byte = next else { throw failure("the string does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try numbered()
        default: throw failure("no such escape")
        }
    }

    /// A scalar by its UTF-16 code units; half a pair is none.
    private mutating func numbered() throws(Failure) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), take("\\"), take("u") else { throw failure("half a character") }
        let second = try codeUnit()
        guard UTF16.isTrailSurrogate(second) else { throw failure("half a character") }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func codeUnit() throws(Failure) -> UInt16 {
        let end = position + 4
        guard end <= bytes.count else { throw failure("the string does not end") }
        var unit: UInt16 = 0
        while position < end {
            guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
                throw failure("no hexadecimal digit")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
