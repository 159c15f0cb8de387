import Testing

@testable import Pushboard

@Suite("Machine: groups")
struct MachineGroupTests {
    private func world(
        store: MachineWorld.Store = .memory, _ policies: [String: Policy],
        _ adjust: (String, inout ButtonTimes) -> Void = { _, _ in }
    ) -> MachineWorld {
        var all: [String: ButtonRules] = [:]
        for (name, policy) in policies {
            var rules = ButtonRules(policy: policy, group: "g")
            adjust(name, &rules.times)
            all[name] = rules
        }
        return MachineWorld(store: store, rules: all)
    }

    @Test("B28 one button of a group is busy: the other refuses and shows blocked, without a spinner, until it ends")
    func blocked() {
        let world = world(["a": .reject, "b": .reject])
        world.press("a")
        #expect(world.answer(world.press("b")) == "rejected group_busy r1")
        #expect(world.button("b").blockedBy?.run == RunID("r1") && world.button("b").phase == .idle)
        #expect(world.button("a").blockedBy == nil)
        let rev = world.button("b").rev
        world.advance(to: 100)
        #expect(world.button("b").blockedBy == nil && world.button("b").rev > rev)
        #expect(world.timeline("b") == "")
        #expect(world.answer(world.press("b")) == "accepted r2")
    }

    @Test("B84 a queue and a button that refuses: blocked until the last of the queue has ended")
    func queueAndReject() {
        let world = world(["a": .queue(), "b": .reject])
        world.press("a")
        #expect(world.answer(world.press("b")) == "rejected group_busy r1")
        #expect(world.answer(world.press("a")) == "held r2 at 1")
        world.advance(to: 150)
        #expect(world.button("b").blockedBy?.run == RunID("r2"))
        #expect(world.answer(world.press("b")) == "rejected group_busy r2")
        world.advance(to: 200)
        #expect(world.button("b").blockedBy == nil)
        #expect(world.answer(world.press("b")) == "accepted r3")
        #expect(world.button("a").blockedBy == nil, "a press of it would wait")
    }

    @Test("First come, first served over the whole group; positions count over the group; one is busy at a time")
    func order() {
        let world = world(["a": .queue(), "b": .queue(), "c": .queue()])
        let answers = ["a", "b", "a", "c"].map { world.answer(world.press($0)) }
        #expect(answers == ["accepted r1", "held r2 at 1", "held r3 at 2", "held r4 at 3"])
        world.advance(to: 60_000)
        #expect(world.called == ["r1", "r2", "r3", "r4"])
        #expect(
            world.timeline("a")
                == "0 pending, 100 held, 200 spinning, 300 settling, 500 success, 2500 idle")
        #expect(
            world.timeline("b") == "0 held, 100 pending, 150 spinning, 200 settling, 450 success, 2450 idle",
            "the busy period began when the press was accepted")
    }

    @Test("A spinner that was shown stays for its time, also when the rest of the queue waits for another button")
    func spinnerStays() {
        let world = world(["a": .queue(), "b": .queue()])
        world.nextActions = [.returns(after: 200), .returns(after: 1000)]
        for name in ["a", "b", "a"] { world.press(name) }
        world.advance(to: 60_000)
        #expect(
            world.timeline("a")
                == "0 pending, 150 spinning, 200 settling, 450 held, 1200 spinning, 1300 settling, 1500 success, "
                + "3500 idle")
    }

    @Test("The queue's limit is each button's own")
    func limit() {
        let one = Policy.queue(Queueing(keeping: .all(max: 1)))
        let world = world(["a": one, "b": one])
        let answers = ["a", "a", "b", "b"].map { world.answer(world.press($0)) }
        #expect(answers == ["accepted r1", "held r2 at 1", "held r3 at 2", "rejected queue_full r3"])
    }

    @Test("A restart never stops another button's run, only its own that waits")
    func restart() {
        let world = world(["a": .restart, "b": .queue()])
        world.press("b")
        let answers = [world.press("a"), world.press("a")].map { world.answer($0) }
        #expect(answers == ["held r2 at 1", "held r3 at 1"])
        world.advance(to: 60_000)
        #expect(
            world.events
                == "0 r1 started, 0 r2 held, 0 r3 held, 0 r2 superseded, 100 r3 started, 100 r1 succeeded, "
                + "200 r3 succeeded")
    }

    @Test("Runs beside each other are the button's own; others are blocked until all have ended")
    func parallel() {
        let world = world(["a": .parallel(max: 2), "b": .reject])
        world.nextActions = [.returns(after: 100), .returns(after: 200)]
        let answers = ["a", "a", "b"].map { world.answer(world.press($0)) }
        #expect(answers == ["accepted r1", "accepted r2", "rejected group_busy r1"])
        world.advance(to: 150)
        #expect(world.button("b").blockedBy?.run == RunID("r2"))
        world.advance(to: 200)
        #expect(world.button("b").blockedBy == nil)
        #expect(world.answer(world.press("b")) == "accepted r3")
        #expect(world.answer(world.press("a")) == "rejected group_busy r3")
    }

    @Test("Others are blocked by the run that is stored, also where an earlier one is not stored yet")
    func parallelStore() {
        let world = world(store: .manual, ["a": .parallel(max: 2), "b": .reject])
        world.press("a")
        world.press("a")
        world.confirm("r2")
        #expect(world.button("b").blockedBy?.run == RunID("r2"))
    }

    @Test("While a press is stored the group is taken, but nobody sees by whom; a cancelled one gives it back")
    func slowStore() {
        let world = world(store: .slow(50), ["a": .reject, "b": .reject, "c": .queue()])
        world.press("a")
        #expect(world.answer(world.press("b")) == "rejected group_busy")
        #expect(world.button("b").blockedBy == nil)
        let waiting = world.press("c")
        #expect(world.answer(world.cancel(of: "a")) == "ok")
        world.advance(to: 60_000)
        #expect(world.answer(waiting) == "accepted r2")
        #expect(world.called == ["r2"])
        #expect(world.answer(world.press("b")) == "-")
    }

    @Test("The turn of a press that is still being stored is kept for it")
    func reserved() {
        let world = world(store: .manual, ["a": .queue(), "b": .reject])
        world.action = .returns(after: nil)
        world.press("a")
        world.confirm()
        let second = world.press("a")
        world.finish("r1")
        #expect(world.answer(world.press("b")) == "rejected group_busy")
        world.confirm()
        #expect(world.answer(second) == "accepted r2")
        #expect(world.called == ["r1", "r2"])
    }

    @Test("An action that nobody waits for any more keeps the group")
    func orphan() {
        let world = world(["a": .reject, "b": .reject, "c": .queue()]) { _, times in
            (times.timeout, times.cancelGrace) = (.milliseconds(500), .milliseconds(200))
        }
        world.nextActions = [.stubborn(after: 3000)]
        world.press("a")
        world.press("c")
        world.advance(to: 1000)
        #expect(world.answer(world.press("b")) == "rejected group_busy r1")
        #expect(world.answer(world.press("a")) == "rejected orphan_running r1")
        #expect(world.button("b").blockedBy?.run == RunID("r1"))
        world.advance(to: 3000)
        #expect(world.called == ["r1", "r2"])
        #expect(world.button("b").blockedBy?.run == RunID("r2"))
        world.advance(to: 60_000)
        #expect(world.button("b").blockedBy == nil)
    }

    @Test("A press that can be taken back does not keep the group; when its time is over it waits its turn")
    func undo() {
        let world = world(["a": .reject, "b": .reject]) { name, times in
            if name == "a" { times.undo = .milliseconds(1000) }
        }
        world.nextActions = [.returns(after: 2000)]
        #expect(world.answer(world.press("a")) == "held r1 at 1")
        world.advance(to: 500)
        #expect(world.answer(world.press("b")) == "accepted r2")
        world.advance(to: 60_000)
        #expect(
            world.events
                == "0 r1 held, 500 r2 started, 1000 r1 held, 2500 r1 started, 2500 r2 succeeded, 2600 r1 succeeded")
    }

    @Test("The last one that waits is cancelled: the others are told")
    func cancelWaiting() {
        let world = world(["a": .queue(), "b": .queue()])
        world.press("a")
        world.press("b")
        world.cancel("r2", of: "b")
        world.advance(to: 60_000)
        #expect(world.timeline("b") == "0 held, 0 idle" && world.called == ["r1"])
    }
}
