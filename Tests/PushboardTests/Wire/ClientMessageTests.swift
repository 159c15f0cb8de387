import Testing

@testable import Pushboard

@Suite("Client message")
struct ClientMessageTests {
    private static func parse(_ text: String) throws -> ClientMessage { try ClientMessage(parsing: Array(text.utf8)) }

    private static func request(_ verb: Request.Verb, id: RequestID? = nil, button: String = "b") -> ClientMessage {
        .request(Request(id: id, button: button, verb: verb))
    }

    @Test(
        "Every type, with all of its fields and with none that may be absent",
        arguments: [
            (#"{"type":"press","button":"b"}"#, request(.press(PressDetails()))),
            (
                #"{"watch":false,"origin":"dom","key":"k","button":"b","id":7,"type":"press","arguments":{},"else":[1]}"#,
                request(.press(PressDetails(key: "k", origin: .dom, watch: false)), id: .integer(7))
            ),
            (#"{"type":"retry","button":"b","run":"r"}"#, request(.retry(RunID("r"), PressDetails()))),
            (
                #"{"type":"retry","id":"x","button":"b","run":"r","key":"k","origin":"script","watch":true}"#,
                request(.retry(RunID("r"), PressDetails(key: "k")), id: .text("x"))
            ),
            (#"{"type":"cancel","button":"b"}"#, request(.cancel(nil))),
            (#"{"type":"cancel","button":"b","run":"r"}"#, request(.cancel(RunID("r")))),
            (#"{"type":"dismiss","button":"b","run":"r"}"#, request(.dismiss(RunID("r")))),
            (#"{"type":"lookup","button":"b","key":"k"}"#, request(.lookup(key: "k"))),
            (#"{"type":"snapshot","id":1}"#, .snapshot(.integer(1))),
            (#"{"type":"subscribe","topic":"runs"}"#, .subscribeToRuns(nil, log: nil, after: nil)),
            (
                #"{"type":"subscribe","topic":"runs","log":"l","after":0,"id":""}"#,
                .subscribeToRuns(.text(""), log: "l", after: 0)
            ),
            (#"{"type":"unsubscribe","topic":"runs"}"#, .unsubscribeFromRuns(nil)),
            (#"{"type":"ping"}"#, .ping(nil)),
        ])
    func message(text: String, message: ClientMessage) throws {
        #expect(try Self.parse(text) == message)
    }

    @Test("null is the same as absent")
    func null() throws {
        let text =
            #"{"type":"press","id":null,"button":"b","key":null,"origin":null,"watch":null,"arguments":null,"run":null}"#
        #expect(try Self.parse(text) == Self.request(.press(PressDetails())))
        #expect(try Self.parse(#"{"type":"cancel","button":"b","run":null}"#) == Self.request(.cancel(nil)))
        let subscribe = #"{"type":"subscribe","topic":"runs","log":null,"after":null}"#
        #expect(try Self.parse(subscribe) == .subscribeToRuns(nil, log: nil, after: nil))
    }

    @Test("A button's name is taken as it comes: the board says that it knows none of it")
    func anyButton() throws {
        let name = String(repeating: "B\0😀", count: 5_000)
        let text = #"{"type":"press","button":"\#(name.replacing("\0", with: "\\u0000"))"}"#
        #expect(try Self.parse(text) == Self.request(.press(PressDetails()), button: name))
    }

    @Test(
        "Not JSON",
        arguments: [
            "", "{", "x", #"{"type":"ping"} x"#, #"{"type":"ping"},"#, String(repeating: "[", count: 60_000),
        ])
    func notJSON(text: String) {
        let error = #expect(throws: MalformedMessage.self) { try Self.parse(text) }
        #expect(error?.code == .badJSON)
        #expect(error?.id == nil)
    }

    @Test(
        "No object, or of no type that is known; the id is repeated where there is one",
        arguments: [
            ("[]", nil), ("null", nil), ("1", nil), (#""ping""#, nil), ("{}", nil), (#"{"id":5}"#, .integer(5)),
            (#"{"id":"a","type":null}"#, .text("a")), (#"{"id":5,"type":1}"#, .integer(5)),
            (#"{"id":5,"type":["ping"]}"#, .integer(5)), (#"{"id":5,"type":""}"#, .integer(5)),
            (#"{"id":5,"type":"Ping"}"#, .integer(5)), (#"{"id":5,"type":"ping\u0000"}"#, .integer(5)),
            (#"{"id":5,"type":"lock"}"#, .integer(5)), (#"{"id":5,"type":"hello"}"#, .integer(5)),
        ] as [(String, RequestID?)])
    func badMessage(text: String, id: RequestID?) {
        let error = #expect(throws: MalformedMessage.self) { try Self.parse(text) }
        #expect(error?.code == .badMessage)
        #expect(error?.id == id)
    }

    @Test("The type of a hostile length is not repeated whole")
    func longType() {
        let error = #expect(throws: MalformedMessage.self) {
            try Self.parse(#"{"type":"\#(String(repeating: "x", count: 60_000))"}"#)
        }
        #expect((error?.message.utf8.count ?? .max) < 200)
    }

    @Test(
        "A field that is missing or wrong is named",
        arguments: [
            ("button", #""type":"press""#), ("button", #""type":"press","button":null"#),
            ("button", #""type":"press","button":1"#), ("button", #""type":"press","button":["b"]"#),
            ("button", #""type":"cancel""#), ("button", #""type":"dismiss","run":"r""#),
            ("button", #""type":"lookup","key":"k""#), ("button", #""type":"retry","run":"r""#),
            ("run", #""type":"retry","button":"b""#), ("run", #""type":"retry","button":"b","run":1"#),
            ("run", #""type":"dismiss","button":"b""#), ("run", #""type":"dismiss","button":"b","run":null"#),
            ("run", #""type":"cancel","button":"b","run":{}"#), ("run", #""type":"cancel","button":"b","run":"""#),
            ("run", #""type":"retry","button":"b","run":"\#(String(repeating: "r", count: 129))""#),
            ("key", #""type":"lookup","button":"b""#), ("key", #""type":"lookup","button":"b","key":"""#),
            ("key", #""type":"press","button":"b","key":"""#), ("key", #""type":"press","button":"b","key":1"#),
            ("key", #""type":"press","button":"b","key":"\#(String(repeating: "😀", count: 129))""#),
            ("origin", #""type":"press","button":"b","origin":"DOM""#),
            ("origin", #""type":"press","button":"b","origin":1"#),
            ("watch", #""type":"press","button":"b","watch":1"#),
            ("watch", #""type":"retry","button":"b","run":"r","watch":"true""#),
            ("arguments", #""type":"press","button":"b","arguments":[]"#),
            ("arguments", #""type":"press","button":"b","arguments":"a""#),
            ("topic", #""type":"subscribe""#), ("topic", #""type":"subscribe","topic":1"#),
            ("topic", #""type":"subscribe","topic":"output""#), ("topic", #""type":"unsubscribe""#),
            ("topic", #""type":"unsubscribe","topic":"Runs""#),
            ("log", #""type":"subscribe","topic":"runs","log":1"#),
            ("after", #""type":"subscribe","topic":"runs","after":"1""#),
            ("after", #""type":"subscribe","topic":"runs","after":-1"#),
            ("after", #""type":"subscribe","topic":"runs","after":1.5"#),
            ("after", #""type":"subscribe","topic":"runs","after":9223372036854775808"#),
        ])
    func badField(name: String, fields: String) {
        let error = #expect(throws: MalformedMessage.self) { try Self.parse(#"{"id":5,\#(fields)}"#) }
        #expect(error?.code == .badField)
        #expect(error?.id == .integer(5))
        #expect(error?.message.contains("`\(name)`") == true, "\(error?.message ?? "")")
    }

    @Test("The largest number of a run event is no reason to fall over")
    func largestAfter() throws {
        let text = #"{"type":"subscribe","topic":"runs","after":9223372036854775807}"#
        #expect(try Self.parse(text) == .subscribeToRuns(nil, log: nil, after: .max))
    }

    @Test(
        "Ids up to 2⁵³ or 128 characters",
        arguments: [
            ("9007199254740992", .integer(9_007_199_254_740_992)),
            ("9007199254740991", .integer(9_007_199_254_740_991)),
            ("-9007199254740992", .integer(-9_007_199_254_740_992)), ("0", .integer(0)), ("1.0", .integer(1)),
            ("1e3", .integer(1000)), (#""""#, .text("")), (#""\u0000""#, .text("\0")),
            ("\"\(String(repeating: "😀", count: 128))\"", .text(String(repeating: "😀", count: 128))),
        ] as [(String, RequestID)])
    func goodID(text: String, id: RequestID) throws {
        #expect(try Self.parse(#"{"type":"ping","id":\#(text)}"#) == .ping(id))
    }

    @Test(
        "Other ids are malformed, and not repeated",
        arguments: [
            "9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808", "1e300", "1.5",
            "true", "[]", "{}", "\"\(String(repeating: "e", count: 129))\"",
            "\"\(String(repeating: "e\u{301}", count: 65))\"",
        ])
    func badID(text: String) {
        let error = #expect(throws: MalformedMessage.self) { try Self.parse(#"{"type":"ping","id":\#(text)}"#) }
        #expect(error?.code == .badField)
        #expect(error?.id == nil)
    }

    private func arguments(_ text: String) throws -> Arguments {
        let message = try Self.parse(#"{"type":"press","button":"b","arguments":\#(text)}"#)
        guard case .request(let request) = message, case .press(let details) = request.verb else { return Arguments() }
        return details.arguments
    }

    @Test("Arguments are told apart from none by a fingerprint whose size does not grow")
    func fingerprints() throws {
        let one = try arguments(#"{"a":{"x":1,"y":[true]},"b":"ä"}"#)
        #expect(one.names == ["a", "b"])
        #expect(one == (try arguments(#"{"b":"\u00e4","a":{"y":[true],"x":1.0}}"#)))
        #expect(one.fingerprint != (try arguments(#"{"a":1}"#)).fingerprint)
        #expect(one.fingerprint != Arguments().fingerprint)
        #expect(try arguments("{}") == Arguments())
        let huge = try arguments(#"{"\#(String(repeating: "x", count: 60_000))":1}"#)
        #expect(huge.fingerprint.utf8.count < 64)
    }

    @Test("Deeply nested arguments cost no more than their length")
    func deepArguments() throws {
        let nested = String(repeating: "[", count: 480) + String(repeating: "]", count: 480)
        let many = "[" + Array(repeating: nested, count: 60).joined(separator: ",") + "]"
        var names: [String] = []
        let time = try ContinuousClock().measure { names = try arguments(#"{"a":\#(many)}"#).names }
        #expect(names == ["a"])
        // Decoding the values takes tens of seconds; this takes a few ms.
        #expect(time < .seconds(1))
    }

    @Test("Of many or long names of arguments the refusal repeats 20, and 128 bytes of each")
    func manyNames() throws {
        let many = try arguments("{" + (0..<3_000).map { "\"n\($0)\":0" }.joined(separator: ",") + "}")
        #expect(many.names.count == 20)
        let long = try arguments("{\"\(String(repeating: "n", count: 60_000))\":0}")
        #expect(long.names.map(\.utf8.count) == [128])
    }
}
