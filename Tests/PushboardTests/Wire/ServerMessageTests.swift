import Testing

@testable import Pushboard

@Suite("Server messages")
struct ServerMessageTests {
    private static let record = RunRecord(
        run: RunID("r2"), button: ItemID("b")!, root: RunID("r1"), attempt: 2, by: "“Ann”", client: "c1", key: "secret",
        principal: "p")

    @Test("hello carries every field, compactly")
    func hello() {
        let message = HelloMessage(
            server: "pushboard", epoch: "e", log: "l", durable: false, assets: "a", client: "c", user: .init(name: "n"),
            time: 5, limits: .init(messageBytes: 6, pressesPerSecond: 7))
        #expect(
            JSON.text(message)
                == #"{"assets":"a","client":"c","durable":false,"epoch":"e","limits":{"messageBytes":6,"#
                + #""pressesPerSecond":7},"log":"l","pingMs":15000,"protocol":1,"server":"pushboard","time":5,"#
                + #""type":"hello","user":{"name":"n","roles":[]}}"#)
    }

    @Test(
        "pong, error and goodbye",
        arguments: [
            (JSON.text(PongMessage(id: nil)), #"{"type":"pong"}"#),
            (JSON.text(PongMessage(id: .integer(-3))), #"{"id":-3,"type":"pong"}"#),
            (JSON.text(PongMessage(id: .text("a\"/\n"))), #"{"id":"a\"/\n","type":"pong"}"#),
            (JSON.text(ErrorMessage("bad_json", "m")), #"{"code":"bad_json","message":"m","type":"error"}"#),
            (
                JSON.text(ErrorMessage(MalformedMessage(.badField, "m", id: .integer(1)))),
                #"{"code":"bad_field","id":1,"message":"m","type":"error"}"#
            ),
            (
                JSON.text(GoodbyeMessage(.shuttingDown, reconnectAfterMs: 1000)),
                #"{"reason":"shutting_down","reconnectAfterMs":1000,"type":"goodbye"}"#
            ),
            (JSON.text(GoodbyeMessage(.lagged)), #"{"reason":"lagged","type":"goodbye"}"#),
        ])
    func small(text: String, expected: String) {
        #expect(text == expected)
    }

    private static func answer(_ result: Answer.Result, _ change: (inout Answer) -> Void = { _ in }) -> String {
        var answer = Answer(.integer(1), result)
        change(&answer)
        return JSON.text(answer)
    }

    @Test(
        "Answers carry what there is and nothing else",
        arguments: [
            (answer(.ok), #"{"id":1,"result":"ok","type":"ack"}"#),
            (JSON.text(Answer(nil, .ok)), #"{"id":null,"result":"ok","type":"ack"}"#),
            (answer(.ok) { $0.gap = true }, #"{"gap":true,"id":1,"result":"ok","type":"ack"}"#),
            (
                answer(.accepted) {
                    $0.run = RunID("r")
                    $0.durable = false
                }, #"{"durable":false,"id":1,"result":"accepted","run":"r","type":"ack"}"#
            ),
            (
                answer(.duplicate) {
                    $0.run = RunID("r")
                    $0.outcome = .failed
                }, #"{"id":1,"outcome":"failed","result":"duplicate","run":"r","type":"ack"}"#
            ),
            (
                JSON.text(Answer(.text("x"), refused: Refusal(.rateLimited, retryAfter: .milliseconds(1500)))),
                #"{"id":"x","reason":"rate_limited","result":"rejected","retryAfterMs":1500,"type":"ack"}"#
            ),
            (
                JSON.text(Answer(.integer(1), refused: Refusal(.busy, run: RunID("r")))),
                #"{"id":1,"reason":"busy","result":"rejected","run":"r","type":"ack"}"#
            ),
            (
                JSON.text(
                    Answer(
                        .integer(1),
                        refused: Refusal(.badArguments, fields: [FieldError(name: "n", code: "unknown", message: "m")]))
                ),
                #"{"fields":[{"code":"unknown","message":"m","name":"n"}],"id":1,"reason":"bad_arguments","#
                    + #""result":"rejected","type":"ack"}"#
            ),
        ])
    func answers(text: String, expected: String) {
        #expect(text == expected)
    }

    private func run(_ change: RunEvent.Change) throws -> JSONValue {
        try JSONValue(JSON.encode(RunMessage(number: 9, event: RunEvent(record: Self.record, change: change, at: 77))))
    }

    private static let always: Set = [
        "type", "event", "run", "button", "change", "attempt", "root", "by", "client", "at",
    ]

    @Test("Run events: what is always there, and neither key nor principal")
    func runs() throws {
        let started = try run(.started)
        #expect(started.names == Self.always)
        #expect(
            started["type"] == .text("run") && started["event"] == .integer(9) && started["change"] == .text("started"))
        #expect(started["run"] == .text("r2") && started["root"] == .text("r1") && started["button"] == .text("b"))
        #expect(started["attempt"] == .integer(2) && started["at"] == .integer(77))
        #expect(started["by"] == .text("“Ann”") && started["client"] == .text("c1"))
        #expect(try run(.cancelling)["change"] == .text("cancelling"))
        #expect(try run(.cancelling).names == Self.always)
    }

    @Test("The end of a run says how, after how long, and why")
    func ends() throws {
        let success = try run(.ended(RunEnd(.succeeded), duration: .milliseconds(1234)))
        #expect(success.names == Self.always.union(["outcome", "durationMs"]))
        #expect(success["outcome"] == .text("succeeded") && success["durationMs"] == .integer(1234))
        let error = RunError(code: "thrown", message: "m", retryable: false)
        let failure = try run(.ended(RunEnd(.failed, error: error, orphaned: true), duration: .zero))
        #expect(failure.names == Self.always.union(["outcome", "durationMs", "error", "orphaned"]))
        #expect(
            failure["error"]
                == .object([
                    "code": .text("thrown"), "message": .text("m"), "run": .text("r2"), "retryable": .bool(false),
                    "needs": .list([]),
                ]))
        let late = try run(.ended(RunEnd(.succeeded, late: true), duration: .zero))
        #expect(late["late"] == .bool(true) && late["orphaned"] == nil)
    }
}
