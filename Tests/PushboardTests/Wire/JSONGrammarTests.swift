import Testing

@testable import Pushboard

@Suite("JSON by the letter of RFC 8259")
struct JSONGrammarTests {
    @Test(
        "takes what is JSON",
        arguments: [
            "{}", "[]", "null", "true", "false", "0", "-0", "-12.5e+3", "1E9", "1e-9", "\"\"",
            "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
            "\"\\u00e9\\uD83D\\uDE00\"", "\"é☃😀\"", " {\t\"a\" : [ 1 , {\"b\":null} ] ,\r\n\"c\":\"\"} ", "\"\u{7f}\"",
            String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
        ])
    func takes(_ text: String) {
        #expect(JSONGrammar.accepts(Array(text.utf8)))
    }

    @Test(
        "refuses what is not",
        arguments: [
            "", " ", "{", "}", "[", "{]", "[1,]", "[,1]", "{\"a\":1,}", "{,}", "{\"a\"}", "{\"a\":}", "{a:1}",
            "{'a':1}",
            "{\"a\":1 \"b\":2}", "[1 2]", "1 2", "01", "-", "-01", "1.", ".5", "+1", "1e", "1e+", "0x10", "NaN",
            "Infinity",
            "tru", "True", "nul", "nulll", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\t\"", "\"\n\"",
            "\"\0\"",
            "\u{feff}{}", "{}\0", "{}x", "/*c*/1", "1//c", "{\"a\":1}}", "[1]]",
            String(repeating: "[", count: 66) + String(repeating: "]", count: 66),
            String(repeating: "[", count: 60_000),
        ])
    func refuses(_ text: String) {
        #expect(!JSONGrammar.accepts(Array(text.utf8)))
    }

    @Test("a message that only a lenient reader would take is bad JSON")
    func messages() {
        for text in ["{\"type\":\"ping\",}", "{\"type\":\"ping\",\"x\":01}", "{\"type\":\"ping\",\"x\":\"\\x\"}"] {
            let error = #expect(throws: MalformedMessage.self) { try ClientMessage(parsing: Array(text.utf8)) }
            #expect(error?.code == .badJSON)
        }
    }
}
