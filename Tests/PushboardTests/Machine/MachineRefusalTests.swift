import Testing

@testable import Pushboard

@Suite("Machine: remembered refusals")
struct MachineRefusalTests {
    @Test("A refusal is repeated for 30 s under its key, so that a press that is sent again cannot start late")
    func remembered() {
        let world = MachineWorld()
        world.press(by: .ann)
        #expect(world.answer(world.press(by: .ben, key: "k")) == "rejected busy r1")
        world.advance(to: 29_999)
        #expect(world.answer(world.press(by: .ben, key: "k")) == "rejected busy r1")
        #expect(world.answer(world.lookUp("k")) == "rejected unknown_key")
        world.advance(to: 30_000)
        #expect(world.answer(world.press(by: .ben, key: "k")) == "accepted r2")
    }

    @Test("A remembered refusal belongs to its intent: the same key for something else is key_reused")
    func intent() {
        let world = MachineWorld()
        world.action = .fails(after: 100)
        world.press(by: .ann)
        #expect(world.answer(world.press(by: .ben, key: "k")) == "rejected busy r1")
        world.advance(to: 1000)
        #expect(world.answer(world.retry("r1", by: .ben, key: "k")) == "rejected key_reused")
        #expect(world.answer(world.press(by: .ben, key: "k")) == "rejected busy r1")
    }

    @Test("The newest 1024 refusals of a button are remembered, older ones forgotten")
    func budget() {
        let world = MachineWorld(buttons: ["a", "b"])
        world.action = .returns(after: 1000)
        world.press("a")
        world.press("b")
        world.press("a", by: .ben, key: "other")
        for number in 0..<1025 { world.press("b", by: .ben, key: "k\(number)") }
        #expect(world.machine.refusals.count == 1024 + 1)
        world.advance(to: 2000)
        #expect(world.answer(world.press("b", by: .ben, key: "k1")) == "rejected busy r2")
        #expect(world.answer(world.press("a", by: .ben, key: "other")) == "rejected busy r1")
        #expect(world.answer(world.press("b", by: .ben, key: "k0")) == "accepted r3")
    }

    @Test("B86 5 000 refused presses with fresh keys leave an accepted key of nine minutes ago alone")
    func flood() {
        let world = MachineWorld()
        world.press(key: "mine")
        world.advance(to: 540_000)
        world.setAvailability(.disabled(because: "Closed"))
        for number in 0..<5_000 { world.press(by: .ben, key: "fresh-\(number)") }
        #expect(world.answer(world.press(key: "mine")) == "duplicate r1 succeeded")
        #expect(world.machine.refusals.count == 1024)
    }

    @Test("What is not remembered: shutting_down, key_space_full, and buttons that do not exist")
    func notRemembered() {
        let world = MachineWorld()
        world.press("nowhere", key: "k")
        world.press("Not an id!", key: "k")
        world.shutDown()
        world.press(key: "k")
        #expect(world.machine.refusals.count == 0)
    }

    @Test("Refusals without a key are not remembered")
    func withoutKey() {
        let world = MachineWorld()
        world.press()
        world.press()
        #expect(world.machine.refusals.count == 0)
    }
}
