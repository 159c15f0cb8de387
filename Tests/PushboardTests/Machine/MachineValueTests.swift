import Testing

@testable import Pushboard

@Suite("Machine: values")
struct MachineValueTests {
    @Test("B37 a message is kept to 4 KiB of UTF-8, whole characters, with a mark where it was cut")
    func messageCap() {
        let short = RunError(code: "thrown", message: "<b>no</b> markup is read")
        #expect(short.message == "<b>no</b> markup is read")
        #expect(RunError(code: "thrown", message: "").message == "")
        let exact = String(repeating: "x", count: 4096)
        #expect(RunError(code: "thrown", message: exact).message == exact)
        for unit in ["x", "é", "€", "👩‍👩‍👧‍👦"] {
            let long = RunError(code: "thrown", message: String(repeating: unit, count: 10_000)).message
            #expect(long.utf8.count <= 4096 && long.utf8.count > 4096 - unit.utf8.count - 3)
            #expect(long.hasSuffix("…"))
            #expect(long.dropLast().allSatisfy { String($0) == unit })
        }
        let oneCharacter = "a" + String(repeating: "\u{301}", count: 10_000)
        #expect(RunError(code: "thrown", message: oneCharacter).message == "…")
    }

    @Test("B38 a failure of one button leaves the others alone")
    func othersWork() {
        let world = MachineWorld(buttons: ["a", "b"])
        world.action = .fails(after: 50)
        world.press("a")
        world.action = .returns(after: 100)
        world.press("b")
        world.advance(to: 60_000)
        #expect(world.timeline("a") == "0 pending, 50 failure")
        #expect(world.timeline("b") == "0 pending, 100 success, 2100 idle")
    }

    @Test(
        "Ids that may name a button",
        arguments: [
            ("like", true), ("a", true), ("0", true), ("a.b_c-d", true), ("", false), ("-a", false), (".a", false),
            ("Like", false), ("like it", false), ("é", false), ("like\0", false), ("a/b", false),
        ])
    func ids(_ text: String, _ valid: Bool) {
        #expect((ItemID(text) != nil) == valid)
    }

    @Test("An id has at most 64 characters")
    func idLength() {
        #expect(ItemID(String(repeating: "a", count: 64)) != nil)
        #expect(ItemID(String(repeating: "a", count: 65)) == nil)
    }

    @Test(
        "Ids that labels give",
        arguments: [
            ("Like", "like"), ("Place order", "place-order"), ("  Sold  out! ", "sold-out"), ("Über uns", "ber-uns"),
            ("v1.2", "v1.2"), ("!!!", nil), ("", nil), ("日本", nil), ("a – b", "a-b"), ("._x", "x"),
        ] as [(String, String?)])
    func derived(_ label: String, _ id: String?) {
        #expect(ItemID(derivedFrom: label)?.rawValue == id)
    }

    @Test("A derived id is cut to length and does not end with a dash")
    func derivedLength() {
        let label = String(repeating: "a", count: 63) + " bbb"
        #expect(ItemID(derivedFrom: label)?.rawValue == String(repeating: "a", count: 63))
    }

    @Test("Durations on the wire are whole milliseconds, rounded, never negative")
    func milliseconds() {
        #expect(Duration.microseconds(1499).milliseconds == 1)
        #expect(Duration.microseconds(1500).milliseconds == 2)
        #expect(Duration.milliseconds(-5).milliseconds == 0)
        #expect(Duration.seconds(3).milliseconds == 3000)
        #expect(Duration.seconds(Int64.max).milliseconds == 9_000_000_000_000_000)
        #expect(Duration.seconds(Int64.min).milliseconds == 0)
    }

    @Test("What expires comes out in its order, once, and no earlier")
    func expiries() {
        var all = Expiries<Int>()
        for number in 0..<100 { all.append(number, until: .ms(number)) }
        var out: [Int] = []
        for now in 0..<60 { while let element = all.popExpired(at: .ms(now)) { out.append(element) } }
        #expect(out == Array(0..<60))
        #expect(all.count == 40)
        while let element = all.popFirst() { out.append(element) }
        #expect(out == Array(0..<100))
        #expect(all.popExpired(at: .ms(1000)) == nil)
        #expect(all.count == 0)
    }

    @Test("Only a touched button is looked at again, and only once")
    func touched() {
        let world = MachineWorld(buttons: ["a", "b"])
        var machine = world.machine
        let press = Request(id: nil, button: "b", verb: .press(PressDetails()))
        let moment = Moment(instant: .ms(0), wall: 0)
        _ = machine.handle(.request(press, from: Client.ann.caller, fresh: RunID("r1")), at: moment)
        #expect(machine.takeTouched() == [ItemID("b")!])
        #expect(machine.takeTouched() == [])
    }
}
