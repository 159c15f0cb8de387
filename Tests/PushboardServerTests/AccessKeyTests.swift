import Glibc
import Testing

@testable import PushboardServer

@Suite("Access key")
struct AccessKeyTests {
    private let folder = TemporaryFolder()
    private static let good = "abcdefghijklmnopqrst"

    private func message(_ body: () throws -> Void) -> String {
        #expect(throws: ServerError.self) { try body() }?.description ?? ""
    }

    @Test("It is made once, in a folder that is made for it, readable by its owner alone")
    func made() throws {
        let inner = folder.path + "/a/b"
        let key = try AccessKey(in: inner)
        #expect(key.secret.utf8.count == 26)
        #expect(folder.mode(of: "a/b/access-key") == 0o600)
        #expect(folder.mode(of: "a") == 0o700 && folder.mode(of: "a/b") == 0o700)
        #expect(try AccessKey(in: inner).secret == key.secret)
        #expect(try AccessKey(in: folder.path).secret != key.secret, "another folder, another key")
    }

    @Test("Six characters of it name the cookie; the rest is in no name")
    func cookieName() {
        #expect(AccessKey("abcdefghijklmnopqrstuvwxyz").cookieName == "pushboard-abcdef")
    }

    @Test("Only the whole key matches")
    func matches() {
        let key = AccessKey(Self.good)
        #expect(key.matches(Self.good) && key.matches(Self.good[...]))
        for wrong in [
            "", "a", String(Self.good.dropLast()), Self.good + "u", "Abcdefghijklmnopqrst", "abcdefghijklmnopqrsT",
        ] {
            #expect(!key.matches(wrong))
        }
    }

    @Test("A key that a person wrote is taken, with or without an end of line", arguments: ["", "\n", "\r\n", "\n\n"])
    func handWritten(end: String) throws {
        folder.write((Self.good + end).utf8, to: "access-key")
        #expect(try AccessKey(in: folder.path).secret == Self.good)
    }

    @Test(
        "A file that others can read is refused, and says what to do", arguments: [0o640, 0o604, 0o620, 0o601, 0o777])
    func permissions(mode: mode_t) {
        folder.write(Self.good.utf8, to: "access-key", mode: mode)
        let message = message { _ = try AccessKey(in: folder.path) }
        #expect(message.contains("chmod 600") && message.contains("\(folder.path)/access-key"))
        #expect(folder.mode(of: "access-key") == mode, "it is left alone")
    }

    @Test(
        "What is no key is refused: it would go into a cookie and a link",
        arguments: [
            "", "\n", "short", "abcdefghijklmnopqrs", "abcdefghijklmnopqrs;", "abcdefghijklmnop\u{1}qrst",
            "abcdefghijklm\r\nSet-Cookie: x=abcdefghijklmn", "abcdefghijklmnopqrst trailing", " abcdefghijklmnopqrst",
            "äbcdefghijklmnopqrstuvw", String(repeating: "a", count: 129), String(repeating: "a", count: 10_000),
        ])
    func garbage(content: String) {
        folder.write(content.utf8, to: "access-key")
        #expect(message { _ = try AccessKey(in: folder.path) }.contains("no access key"))
    }

    @Test("Bytes that are no text are refused, not repaired into a key that anybody can guess")
    func noText() {
        folder.write([UInt8](repeating: 0xff, count: 30), to: "access-key")
        #expect(message { _ = try AccessKey(in: folder.path) }.contains("no access key"))
    }

    @Test("A link, a folder and a pipe in its place are refused at once")
    func otherFiles() {
        folder.write(Self.good.utf8, to: "elsewhere")
        unsafe symlink(folder.path + "/elsewhere", folder.path + "/access-key")
        #expect(message { _ = try AccessKey(in: folder.path) }.contains("cannot read"))
        unsafe unlink(folder.path + "/access-key")
        unsafe mkdir(folder.path + "/access-key", 0o700)
        #expect(message { _ = try AccessKey(in: folder.path) }.contains("cannot read"))
        unsafe rmdir(folder.path + "/access-key")
        unsafe mkfifo(folder.path + "/access-key", 0o600)
        #expect(message { _ = try AccessKey(in: folder.path) }.contains("no access key"))
    }

    @Test("A link that leads nowhere is not followed when the key is written")
    func danglingLink() {
        unsafe symlink(folder.path + "/target", folder.path + "/access-key")
        #expect(message { _ = try AccessKey(in: folder.path) }.contains("access-key"))
        #expect(folder.mode(of: "target") == nil)
    }

    @Test("A folder that cannot be made says so")
    func unwritable() {
        folder.write([], to: "file")
        let message = message { _ = try AccessKey(in: folder.path + "/file/state") }
        #expect(message.contains("--state") && message.contains("\(folder.path)/file"))
        #expect(self.message { _ = try AccessKey(in: "/proc/pushboard") }.contains("/proc/pushboard"))
    }
}
