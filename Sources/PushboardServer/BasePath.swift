/// The sub-path of a board behind a proxy. Both `{base}x` and `/x` are served, so that proxies that strip it and
/// proxies that keep it work.
struct BasePath: Hashable, Sendable {
    /// Begins and ends with `/`.
    let text: String

    /// Takes `board`, `/board` and `/board/` for the same.
    init(_ text: String) throws {
        let parts = text.split(separator: "/").map(String.init)
        let isPlain = parts.allSatisfy { part in
            part != "." && part != ".." && part.utf8.allSatisfy(Self.isPlain)
        }
        guard isPlain else {
            throw ServerError("--base \(text): use letters, digits, `-`, `_`, `.` and `/`, as in /board/.")
        }
        self.text = parts.isEmpty ? "/" : "/" + parts.joined(separator: "/") + "/"
    }

    /// The path below the base, beginning with `/`.
    func strip(_ path: String) -> String {
        guard text != "/", path.hasPrefix(text) else { return path }
        return String(path.dropFirst(text.count - 1))
    }

    /// Whether the path is the base without its final slash.
    func lacksSlash(_ path: String) -> Bool { text != "/" && path + "/" == text }

    /// Its last part, for a relative redirect.
    var lastPart: String { text.split(separator: "/").last.map(String.init) ?? "" }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
