import FoundationEssentials
import Glibc

/// A folder of its own for one test, removed with everything in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/pushboard-test-XXXXXX".utf8CString)
        precondition(unsafe mkdtemp(&template) != nil, "no temporary folder")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file with exactly this mode.
    func write(_ bytes: some Collection<UInt8>, to name: String, mode: mode_t = 0o600) {
        let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        precondition(file >= 0, "no file")
        defer { close(file) }
        let bytes = Array(bytes)
        precondition(unsafe Glibc.write(file, bytes, bytes.count) == bytes.count)
        precondition(fchmod(file, mode) == 0)
    }

    func mode(of name: String) -> mode_t? {
        var status = stat()
        return unsafe lstat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o7777 : nil
    }
}
