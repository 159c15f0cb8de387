import Testing

@testable import Pushboard

@Suite("Machine: the order of the checks")
struct MachineCheckOrderTests {
    private let bad = Arguments(names: ["x"], fingerprint: "x=1")

    @Test("The first check that fails gives the reason, from the key to the policy")
    func press() {
        var limits = Limits()
        limits.keys = 2
        let world = MachineWorld(limits: limits) { $0.timeout = .milliseconds(500) }
        world.action = .stubborn(after: 7000)
        world.press(by: .ann, .dom, key: "k1")
        // Everything at once, taken away from the front: an orphan that a click of less than 400 ms ago …
        #expect(world.answer(world.press(by: .ann, .dom)) == "rejected double_press r1 after 400")
        #expect(world.answer(world.press(by: .ben, .dom)) == "rejected busy r1")
        world.advance(to: 6000)
        #expect(world.answer(world.press(by: .ben)) == "rejected orphan_running r1")
        world.setAvailability(.disabled(because: "Closed"))
        #expect(world.answer(world.press(by: .ben)) == "rejected disabled")
        #expect(world.answer(world.press(by: .ben, arguments: bad)) == "rejected bad_arguments")
        world.shutDown()
        #expect(world.answer(world.press(by: .ben)) == "rejected shutting_down")
        #expect(world.answer(world.press(by: .ben, arguments: bad)) == "rejected bad_arguments")
        #expect(world.answer(world.press("nowhere", by: .ben, arguments: bad)) == "rejected unknown_button")
        #expect(world.answer(world.press(by: .ben, key: "k1", arguments: bad)) == "rejected key_reused r1")
        #expect(world.answer(world.press(by: .ben, key: "k1")) == "duplicate r1 failed")
    }

    @Test("disabled goes before double_press, double_press before orphan_running")
    func middle() {
        let world = MachineWorld { $0.doublePress = .seconds(60) }
        world.action = .stubborn(after: nil)
        world.press(by: .ann, .dom)
        world.cancel()
        world.advance(to: 5000)
        world.cancel()
        #expect(world.answer(world.press(by: .ann, .dom)) == "rejected double_press after 55000")
        #expect(world.answer(world.press(by: .ben, .dom)) == "rejected orphan_running r1")
        world.setAvailability(.disabled(because: "Closed"))
        #expect(world.answer(world.press(by: .ann, .dom)) == "rejected disabled")
    }

    @Test("A retry is stale or not_retryable before anything else but its key")
    func retry() {
        let world = MachineWorld()
        world.action = .fails(after: 100, retryable: false)
        world.press()
        world.advance(to: 1000)
        world.setAvailability(.disabled(because: "Closed"))
        #expect(world.answer(world.retry("r1", arguments: bad)) == "rejected not_retryable r1")
        #expect(world.answer(world.retry("r0", arguments: bad)) == "rejected stale r1")
        world.shutDown()
        #expect(world.answer(world.retry("r0")) == "rejected stale r1")
        #expect(world.answer(world.retry("r0", of: "nowhere")) == "rejected unknown_button")
    }

    @Test("bad_arguments names each field")
    func fields() {
        let world = MachineWorld()
        let answer = world.fullAnswer(world.press(arguments: Arguments(names: ["x", "y"], fingerprint: "")))
        #expect(answer?.refusal?.fields.map(\.name) == ["x", "y"])
        #expect(answer?.refusal?.fields.map(\.code) == ["unknown", "unknown"])
    }

    @Test("Cancel and dismiss of a button that does not exist: unknown_button")
    func unknownButton() {
        let world = MachineWorld()
        #expect(world.answer(world.cancel(of: "nowhere")) == "rejected unknown_button")
        #expect(world.answer(world.dismiss("r1", of: "NO")) == "rejected unknown_button")
    }
}
