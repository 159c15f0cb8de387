import Testing

@testable import PushboardServer

@Suite("Caller name")
struct CallerNameTests {
    @Test(
        "A name of one's own stands in quotes, tidied",
        arguments: [
            ("Ann", "“Ann”"), ("  Ann \t Lee ", "“Ann Lee”"), ("<b>", "“<b>”"), ("日本 ä😀", "“日本 ä😀”"),
            ("a\r\nb\u{1b}[0m\u{7f}\u{9b}", "“ab[0m”"), ("a\u{202e}b\u{200b}c\u{2066}d\u{feff}", "“abcd”"),
            ("a\u{2028}b\u{e000}c", "“abc”"), ("x” (admin) “y", "“x (admin) y”"),
            (String(repeating: "n", count: 65), "“" + String(repeating: "n", count: 64) + "”"),
        ])
    func named(name: String, shown: String) {
        #expect(CallerName.display(name: name, guest: "abcd") == shown)
    }

    @Test("A character with any number of accents is no way around the limit")
    func accents() {
        let name = CallerName.display(name: "e" + String(repeating: "\u{301}", count: 5_000), guest: nil)
        #expect(name.unicodeScalars.count <= 66)
    }

    @Test(
        "Without a name of which something is left one is a guest",
        arguments: [nil, "", "  \n", "\u{202e}\u{200b}", "“”"])
    func guest(name: String?) {
        #expect(CallerName.display(name: name, guest: "a1b2") == "guest a1b2")
    }

    @Test(
        "A tag is four digits or letters; any other is replaced",
        arguments: [nil, "", "abc", "abcde", "ABCD", "a b ", "ab\0c", "éa1"])
    func tags(guest: String?) {
        let shown = CallerName.display(name: nil, guest: guest)
        #expect(shown.hasPrefix("guest ") && shown.utf8.count == 10 && shown != "guest \(guest ?? "")")
    }
}
