import Pushboard
import Synchronization
import Testing

@testable import PushboardServer

@Suite("Log")
struct LogTests {
    private func line(_ body: (Log) -> Void) throws -> String {
        let written = Mutex<[[UInt8]]>([])
        withoutActuallyEscaping(body) { body in
            body(Log { line in written.withLock { $0.append(line) } })
        }
        let lines = written.withLock { $0 }
        #expect(lines.count == 1)
        return String(decoding: try #require(lines.first), as: UTF8.self)
    }

    @Test("One JSON object a line, with the time and what there is")
    func fields() throws {
        let text = try line { $0.write(.warning, "denied.host", detail: "d", peer: "p", count: 3) }
        #expect(text.hasSuffix("Z\"}\n"), "an ISO 8601 time in UTC")
        #expect(
            text.hasPrefix(#"{"count":3,"detail":"d","event":"denied.host","level":"warning","peer":"p","time":"20"#))
        let short = try line { $0.write(.info, "e") }
        #expect(short.hasPrefix(#"{"event":"e","level":"info","time":"#))
    }

    @Test(
        "F60 what a client sent cannot end a line, move a cursor or turn the text around",
        arguments: [
            "\r\n{\"event\":\"forged\"}", "\u{1b}[2J", "\u{9b}2J", "\u{7f}\u{8}", "\u{85}x", "\u{2028}\u{2029}",
            "\u{202e}\u{2066}", "\u{200b}\u{feff}", "\u{e000}", "\0", "\"\\",
        ])
    func hostile(detail: String) throws {
        let text = try line { $0.write(.warning, "e", detail: detail) }
        #expect(text.utf8.filter { $0 == 0x0a }.count == 1 && text.hasSuffix("\n"))
        #expect(text.hasPrefix(#"{"detail":""#))
        for scalar in text.dropLast().unicodeScalars {
            #expect(scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7f)
        }
    }

    @Test("Visible text of any script stays as it is")
    func visible() throws {
        #expect(try line { $0.write(.info, "e", detail: "ä 日本 😀 שלום") }.contains("ä 日本 😀 שלום"))
    }

    @Test("A line is short enough to be written at once", arguments: ["x", "\0", "\u{10fffd}", "😀", "\""])
    func length(character: String) throws {
        let text = try line { $0.write(.info, "e", detail: String(repeating: character, count: 60_000), peer: "p") }
        #expect(text.utf8.count <= 4096)
    }
}
