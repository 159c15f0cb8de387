/// Any JSON value, as a client sent it. Numbers that are equal are the same value, however they were written.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// Every whole number that 64 bits hold.
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// A number as its nearest value.
    init(_ number: Double) {
        self = if let whole = Int64(exactly: number) { .integer(whole) } else { .number(number) }
    }

    /// 128 bits that are equal for equal values. They differ from process to process and nobody outside can find two
    /// values with the same ones, because Swift seeds its hash (SipHash) at random; a store needs others.
    var fingerprint: String {
        (0...1).map { salt in
            var hasher = Hasher()
            hasher.combine(salt)
            hasher.combine(self)
            return String(UInt(bitPattern: hasher.finalize()), radix: 16)
        }.joined(separator: "-")
    }
}
