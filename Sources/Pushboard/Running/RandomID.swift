/// Names that nobody can guess and that never come twice.
package enum RandomID {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

    /// 26 characters of five random bits each, from the system's secure source.
    package static func make(length: Int = 26) -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] })
    }
}
