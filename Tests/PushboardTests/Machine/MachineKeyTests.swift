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
