import Testing

@testable import Pushboard

@Suite("JSON reader")
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    @Test(
        "Values of RFC 8259",
        arguments: [
            ("null", JSONValue.null), (" \t\r\n true\n", .bool(true)), ("false", .bool(false)),
            ("0", .integer(0)), ("-0", .integer(0)), ("-12", .integer(-12)), ("12.0", .integer(12)),
            ("1e3", .integer(1000)), ("1E+3", .integer(1000)), ("5e-1", .number(0.5)), ("-0.25", .number(-0.25)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("18446744073709551616", .number(18_446_744_073_709_551_616)),
            ("1e-400", .integer(0)), ("[]", .list([])), ("{}", .object([:])), ("[ ]", .list([])), ("{ }", .object([:])),
            ("[1 , [2,null]]", .list([.integer(1), .list([.integer(2), .null])])),
            (#"{"a" : {"b":[]} , "":1}"#, .object(["a": .object(["b": .list([])]), "": .integer(1)])),
            (#""""#, .text("")), (#""ä😀""#, .text("ä😀")), (#""\"\\\/\b\f\n\r\t""#, .text("\"\\/\u{8}\u{c}\n\r\t")),
            (#""\u00e4\uD83D\uDE00\u0000""#, .text("ä😀\0")), ("\"\u{7f}\u{2028}\"", .text("\u{7f}\u{2028}")),
        ])
    func value(text: String, value: JSONValue) throws {
        #expect(try read(text) == value)
    }

    @Test(
        "What is no JSON",
        arguments: [
            "", " ", "nul", "nulll", "True", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity",
            "1e400",
            "-1e400", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", #"{"a""#, #"{"a":"#, #"{"a":1"#,
            #"{"a":1,}"#, #"{,"a":1}"#, "{a:1}", "{1:1}", #"{"a" 1}"#, #"{"a":1 "b":2}"#, "'a'", "\"", #""a"#, #""\"#,
            #""\x""#, #""\u12""#, #""\u12g4""#, #""\uff21""#.replacing("f", with: "Ａ"), #""\ud800""#, #""\udc00""#,
            #""\ud800\n""#, #""\ud800\u0041""#, #""\ud800\ud800""#, "\"\n\"", "\"\t\"", "\"\0\"", "1 2", "{} x", "{}{}",
            "// c\n1", "\u{feff}1", "\u{a0}1", #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#,
        ])
    func malformed(text: String) {
        #expect(throws: JSONReader.Failure.self) { try read(text) }
    }

    @Test(
        "Bytes that are no UTF-8 are no JSON, nor is UTF-16",
        arguments: [
            [0x22, 0xff, 0x22], [0x22, 0xc0, 0xaf, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xe2, 0x82, 0x22],
            [0x31, 0x00], [0x00, 0x31], [0xef, 0xbb, 0xbf, 0x31], [0x31, 0x00, 0x00, 0x00],
        ] as [[UInt8]])
    func bytes(bytes: [UInt8]) {
        #expect(throws: JSONReader.Failure.self) { try JSONReader.read(bytes) }
    }

    @Test("A failure tells where")
    func place() {
        #expect(throws: JSONReader.Failure(description: "no comma", offset: 6)) { try read(#"{"a":1"#) }
        #expect(throws: JSONReader.Failure(description: "something follows the end", offset: 2)) { try read("1 x") }
    }

    @Test("64 levels are read, 65 are not", arguments: [("[", "]"), (#"{"a":"#, "}")])
    func depth(open: String, close: String) throws {
        func nested(_ count: Int) -> String {
            String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
        }
        _ = try read(nested(64))
        #expect(throws: JSONReader.Failure.self) { try read(nested(65)) }
        // Levels side by side are no depth.
        _ = try read("[" + Array(repeating: nested(60), count: 20).joined(separator: ",") + "]")
    }

    @Test(
        "B60 the longest message takes time by its length alone",
        arguments: [
            String(repeating: "[", count: 65_536),
            "["
                + Array(repeating: String(repeating: "[", count: 60) + String(repeating: "]", count: 60), count: 540)
                .joined(separator: ",") + "]",
            "[" + String(repeating: "\"\",", count: 21_000) + "1]",
            "[" + String(repeating: "1,", count: 32_000) + "1]",
            "\"" + String(repeating: "\\u0041", count: 10_000) + "\"",
            String(repeating: "9", count: 65_536),
            "{" + (0..<6_000).map { "\"\($0)\":1" }.joined(separator: ",") + "}",
        ])
    func time(text: String) {
        let bytes = Array(text.utf8)
        let time = ContinuousClock().measure { _ = try? JSONReader.read(bytes) }
        // The decoder of FoundationEssentials took 70 s for the second one; the slowest here takes under 0.1 s in debug.
        #expect(time < .seconds(2))
    }

    @Test("Fingerprints are equal if and only if the values are")
    func fingerprints() throws {
        let same = [
            [#"{"a":1,"b":[2,null]}"#, #" {"b":[2.0,null] , "a":10e-1}"#, #"{"\u0061":1,"b":[2,null]}"#],
            ["[0,-0.0]", "[-0,0e9]"], ["\"\\u00e4\"", "\"ä\""],
            ["1e400".replacing("400", with: "18"), "1000000000000000000"],
        ]
        for texts in same {
            #expect(Set(try texts.map { try read($0).fingerprint }).count == 1)
        }
        let different = [
            "{}", "[]", "null", "0", "false", "\"\"", "\"0\"", "[0]", "[[0]]", "[0,0]", "1", "-1", "0.5", "[1,2]",
            "[2,1]", "[[1],2]", "[[1,2]]", #"{"a":1}"#, #"{"a":2}"#, #"{"b":1}"#, #"{"a":{"a":1}}"#, #"{"a":[1]}"#,
            #"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#, #"["a",1]"#, #"["a1"]"#, #"{"a":null}"#, "true", "\"true\"",
            "\"null\"",
        ]
        #expect(Set(try different.map { try read($0).fingerprint }).count == different.count)
    }
}
