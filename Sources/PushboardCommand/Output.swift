import Glibc

/// Lines for the person at the terminal.
enum Output {
    static func say(_ line: String) { write(line, to: STDOUT_FILENO) }
    static func complain(_ line: String) { write(line, to: STDERR_FILENO) }

    private static func write(_ line: String, to file: Int32) {
        let bytes = Array((line + "\n").utf8)
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes[start...].withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            start += count
        }
    }
}
