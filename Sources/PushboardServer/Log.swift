import FoundationEssentials
import Glibc
import Pushboard

/// Writes one JSON object per line to standard error. Whatever a client sent is escaped by the encoder.
struct Log: Sendable {
    private struct Line: Encodable {
        let time: String
        let level: String
        let event: String
        let detail: String?
        let peer: String?
        let count: Int?
    }

    enum Level: String { case info, warning }

    func write(_ level: Level, _ event: String, detail: String? = nil, peer: String? = nil, count: Int? = nil) {
        let line = Line(
            time: Date.now.formatted(.iso8601), level: level.rawValue, event: event,
            detail: detail.map(Self.visible), peer: peer, count: count)
        let bytes = JSON.encode(line) + [UInt8(ascii: "\n")]
        // A log that nobody reads must not stop the server: what cannot be written is dropped.
        _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    /// JSON escapes control characters; invisible and direction-changing ones are shown by their number as well.
    private static func visible(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(500) {
            switch scalar.properties.generalCategory {
            case .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
