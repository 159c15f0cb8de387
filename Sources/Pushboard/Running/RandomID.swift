/// Names that nobody can guess and that never come twice.
package enum RandomID {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

    /// 26 characters of five random bits each, from the system's secure source.
    package static func make(length: Int = 26) -> String {
        var generator = SystemRandomNumberGenerator()
        var bits: UInt64 = 0
        // One call of the system gives twelve characters.
        return String(
            (0..<length).map { index in
                bits = index % 12 == 0 ? generator.next() : bits >> 5
                return alphabet[Int(bits & 31)]
            })
    }
}
