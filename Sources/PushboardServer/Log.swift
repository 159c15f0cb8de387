import FoundationEssentials
import Glibc
import Pushboard

/// Writes one JSON object per line, shorter than 4 KiB. Whatever a client sent is escaped.
struct Log: Sendable {
    /// Takes a line with its end.
    private let sink: @Sendable ([UInt8]) -> Void

    init(to sink: @escaping @Sendable ([UInt8]) -> Void = Log.toStandardError) { self.sink = sink }

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
        sink(JSON.encode(line) + [UInt8(ascii: "\n")])
    }

    /// A log that nobody reads must not stop the server: what would have to wait is dropped. A pipe that takes anything
    /// takes 4 KiB at once (PIPE_BUF, pipe(7)).
    private static func toStandardError(_ line: [UInt8]) {
        var standardError = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&standardError, 1, 0) == 1, standardError.revents & Int16(POLLOUT) != 0 else { return }
        _ = unsafe Glibc.write(STDERR_FILENO, line, line.count)
    }

    /// Control characters (JSON would let DEL and C1 through), invisible and direction-changing ones by their number.
    private static func visible(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(300) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
