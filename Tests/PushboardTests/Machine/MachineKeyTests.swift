import Testing

@testable import Pushboard

@Suite("Machine: idempotency keys")
struct MachineKeyTests {
    @Test("B51 the socket drops before the answer, the press comes again under its key: one run, a duplicate")
    func again() {
        let world = MachineWorld()
        world.action = .returns(after: 5000)
        world.press(by: .ann, key: "k")
        world.advance(to: 3000)
        #expect(world.answer(world.press(by: .ben, key: "k")) == "duplicate r1")
        #expect(world.watchers[RunID("r1")] == [Client.ann.connection, Client.ben.connection])
        world.advance(to: 60_000)
        #expect(world.called == ["r1"])
    }

    @Test("B52 the same after the run has ended: a duplicate with its outcome, no new run, nothing to watch")
    func ended() {
        let world = MachineWorld()
        world.press(by: .ann, key: "k")
        world.advance(to: 3000)
        #expect(world.answer(world.press(by: .ben, key: "k")) == "duplicate r1 succeeded")
        #expect(world.watchers[RunID("r1")] == [Client.ann.connection])
        #expect(world.called == ["r1"])
    }

    @Test("B54 the same key for something else is key_reused; on another button it is another key")
    func reused() {
        let world = MachineWorld(buttons: ["a", "b"])
        world.press("b", key: "k")
        let other = Arguments(names: ["n"], fingerprint: "n=1")
        #expect(world.answer(world.press("b", key: "k", arguments: other)) == "rejected key_reused r1")
        #expect(world.answer(world.retry("r1", of: "b", key: "k")) == "rejected key_reused r1")
        #expect(world.answer(world.press("a", key: "k")) == "accepted r2")
        #expect(world.answer(world.press("b", key: "k")) == "duplicate r1")
    }

    @Test("A retry has a key too: the same one is a duplicate, that of another run is key_reused")
    func retryKey() {
        let world = MachineWorld()
        world.action = .fails(after: 100)
        world.press()
        world.advance(to: 1000)
        #expect(world.answer(world.retry("r1", key: "k")) == "accepted r2")
        #expect(world.answer(world.retry("r1", by: .ben, key: "k")) == "duplicate r2")
        #expect(world.answer(world.retry("r2", key: "k")) == "rejected key_reused r2")
        #expect(world.answer(world.press(key: "k")) == "rejected key_reused r2")
    }

    @Test("A key is one principal's own")
    func principals() {
        var rig = MachineRig(buttons: ["b": ButtonTimes()])
        func press(_ id: Int64, _ principal: String, fresh: String) -> [BoardMachine.Effect] {
            let caller = Caller(connection: ConnectionID(1), client: "c", name: "n", principal: principal)
            let request = Request(id: .integer(id), button: "b", verb: .press(PressDetails(key: "k")))
            return rig.send(.request(request, from: caller, fresh: RunID(fresh)))
        }
        _ = press(1, "ann", fresh: "r1")
        _ = rig.send(.persisted(rig.unstored[0], durable: true))
        let effects = press(2, "ben", fresh: "r2")
        #expect(
            effects == [
                .answer(
                    Answer(.integer(2), refused: Refusal(.busy, run: RunID("r1")), button: ItemID("b")),
                    to: ConnectionID(1))
            ])
    }

    @Test("An accepted key is kept until ten minutes after the end, then it may start a run again")
    func retention() {
        let world = MachineWorld()
        world.action = .returns(after: 1000)
        world.press(key: "k")
        world.advance(to: 1000 + 599_999)
        #expect(world.answer(world.press(key: "k")) == "duplicate r1 succeeded")
        #expect(world.answer(world.lookUp("k")) == "duplicate r1 succeeded")
        world.advance(to: 1000 + 600_000)
        #expect(world.answer(world.lookUp("k")) == "rejected unknown_key")
        #expect(world.answer(world.press(key: "k")) == "accepted r2")
    }

    @Test("A key is kept while its run goes on, however long")
    func longRun() {
        let world = MachineWorld()
        world.action = .returns(after: 7_200_000)
        world.press(key: "k")
        world.advance(to: 7_000_000)
        #expect(world.answer(world.press(key: "k")) == "duplicate r1")
    }

    @Test("Lookup asks without pressing and without watching")
    func lookUp() {
        let world = MachineWorld()
        #expect(world.answer(world.lookUp("k")) == "rejected unknown_key")
        #expect(world.answer(world.lookUp("k", of: "nowhere")) == "rejected unknown_button")
        world.press(key: "k", watch: false)
        #expect(world.answer(world.lookUp("k")) == "duplicate r1")
        world.advance(to: 500)
        #expect(world.answer(world.lookUp("k")) == "duplicate r1 succeeded")
        #expect(world.called == ["r1"])
        #expect(world.watchers.isEmpty)
    }

    @Test("A full ledger refuses new keys and nothing else; the refusal is not remembered")
    func fullLedger() {
        var limits = Limits()
        limits.keys = 2
        let world = MachineWorld(limits: limits) { $0.successHold = .seconds(0) }
        for key in ["k1", "k2"] {
            world.press(key: key)
            world.advance(by: 100)
        }
        #expect(world.answer(world.press(key: "k3")) == "rejected key_space_full")
        #expect(world.answer(world.press(key: "k1")) == "duplicate r1 succeeded")
        #expect(world.answer(world.press()) == "accepted r3")
        world.advance(to: 100 + 600_000)
        #expect(world.answer(world.press(key: "k3")) == "accepted r4", "k1 has expired, k3 was not remembered")
        #expect(world.machine.keys.count == 2)
    }
}

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
