import Glibc

/// Standard error, unbuffered.
enum Output {
    static func line(_ text: String) {
        let bytes = Array("\(text)\n".utf8)
        _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
    }

    static func exit(_ status: Int32) -> Never { Glibc.exit(status) }
}
