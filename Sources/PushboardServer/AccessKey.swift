import Glibc
import Pushboard

/// The key of a board that is reachable beyond this machine. It is made once and kept in a file of mode 0600.
struct AccessKey: Sendable {
    /// 26 characters. The first six are no secret: they tell boards on one host apart in the cookie's name.
    private let text: String

    private static let publicCharacters = 6
    private static let fileName = "access-key"

    init(_ text: String) { self.text = text }

    /// Reads the folder's key, or makes one.
    init(in folder: String) throws {
        let path = folder + "/" + Self.fileName
        if let known = try Self.read(path) {
            text = known
        } else {
            try Self.makeFolder(folder)
            text = RandomID.make()
            try Self.write(text, to: path)
        }
    }

    var cookieName: String { "pushboard-" + text.prefix(Self.publicCharacters) }

    /// For the sign-in link that the operator sees, and for the cookie.
    var secret: String { text }

    /// Compares without telling by its time how much was right.
    func matches(_ candidate: some StringProtocol) -> Bool {
        let mine = Array(text.utf8)
        let theirs = Array(candidate.utf8)
        guard mine.count == theirs.count else { return false }
        return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func read(_ path: String) throws -> String? {
        // Without O_NONBLOCK a named pipe in its place would be waited for.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw problem("read", path) }
            return nil
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw problem("read", path) }
        guard status.st_mode & 0o077 == 0 else {
            throw ServerError("\(path) can be read by others: run `chmod 600` on it, or delete it to get a new key.")
        }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw problem("read", path) }
        guard let key = key(in: bytes.prefix(count)) else {
            throw ServerError("\(path) holds no access key: delete the file to get a new one.")
        }
        return key
    }

    /// The content as a key: 20–128 letters, digits, `-` or `_` in one line. It goes into a cookie and a link.
    private static func key(in bytes: ArraySlice<UInt8>) -> String? {
        var bytes = bytes
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        let isPlain = bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain && (20...128).contains(bytes.count) ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private static func write(_ text: String, to path: String) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw problem("write", path) }
        defer { close(file) }
        let bytes = Array((text + "\n").utf8)
        guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            let problem = problem("write", path)
            unsafe unlink(path)
            throw problem
        }
    }

    private static func makeFolder(_ folder: String) throws {
        var path = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            path += "/" + part
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw problem("make", path) }
        }
    }

    private static func problem(_ verb: String, _ path: String) -> ServerError {
        let reason = unsafe String(cString: strerror(errno))
        return ServerError(
            "cannot \(verb) \(path): \(reason). Name another folder with --state, or fix its permissions.")
    }
}

/// The folder for what a program keeps of its user, by the XDG base directory specification.
enum StateFolder {
    static func standard() throws -> String {
        if let folder = variable("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder + "/pushboard" }
        if let home = variable("HOME"), home.hasPrefix("/") { return home + "/.local/state/pushboard" }
        throw ServerError("there is no home folder to keep the access key in: name a folder with --state.")
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
