import Testing

@testable import Pushboard

@Suite("Machine: presses that wait in a queue")
struct MachineQueueTests {
    private func answers(_ world: MachineWorld, _ count: Int) -> [String] {
        (0..<count).map { _ in world.answer(world.press()) }
    }

    @Test("B23 queue: strictly in order, held at positions 1 and 2, spinning from run to run")
    func order() {
        let world = MachineWorld(.queue())
        #expect(answers(world, 3) == ["accepted r1", "held r2 at 1", "held r3 at 2"])
        world.advance(to: 60_000)
        #expect(
            world.events
                == "0 r1 started, 0 r2 held, 0 r3 held, 100 r2 started, 100 r1 succeeded, 200 r3 started, "
                + "200 r2 succeeded, 300 r3 succeeded")
        #expect(world.timeline() == "0 pending, 150 spinning, 300 settling, 450 success, 2450 idle")
    }

    @Test("B80 three runs of 100 ms back to back: the spinner shows 150 ms after the first began")
    func spinner() {
        let world = MachineWorld(.queue())
        _ = answers(world, 3)
        world.advance(to: 149)
        #expect(world.called == ["r1", "r2"] && world.button().phase == .pending)
        world.advance(to: 150)
        #expect(world.button().phase == .spinning)
    }

    @Test("B24 queue-last: the newest displaces the one that waits, whose action is never called")
    func last() {
        let world = MachineWorld(.queue(Queueing(keeping: .last)))
        #expect(answers(world, 3) == ["accepted r1", "held r2 at 1", "held r3 at 1"])
        world.advance(to: 60_000)
        #expect(
            world.events
                == "0 r1 started, 0 r2 held, 0 r3 held, 0 r2 superseded, 100 r3 started, 100 r1 succeeded, "
                + "200 r3 succeeded")
        #expect(world.called == ["r1", "r3"])
    }

    @Test("B25 queue-first: the one that waits is kept, the next is refused")
    func first() {
        let world = MachineWorld(.queue(Queueing(keeping: .first)))
        #expect(answers(world, 3) == ["accepted r1", "held r2 at 1", "rejected queue_full r1"])
        world.advance(to: 60_000)
        #expect(world.called == ["r1", "r2"])
    }

    @Test("B26 one press too many is queue_full, the others go on")
    func full() {
        let world = MachineWorld(.queue(Queueing(keeping: .all(max: 2))))
        #expect(answers(world, 4) == ["accepted r1", "held r2 at 1", "held r3 at 2", "rejected queue_full r1"])
        world.advance(to: 100)
        #expect(world.answer(world.press()) == "held r4 at 2", "there is room again")
        world.advance(to: 60_000)
        #expect(world.called == ["r1", "r2", "r3", "r4"])
    }

    @Test("B26 flush: after a failure those that wait are cancelled; otherwise they go on")
    func flush() {
        let world = MachineWorld(.queue(Queueing(afterFailure: .flush)))
        world.nextActions = [.fails(after: 100)]
        _ = answers(world, 3)
        world.advance(to: 1000)
        #expect(
            world.events
                == "0 r1 started, 0 r2 held, 0 r3 held, 100 r1 failed thrown, 100 r2 cancelled, 100 r3 cancelled")
        #expect(world.timeline() == "0 pending, 100 failure")
        #expect(world.answer(world.press()) == "accepted r4")
        let other = MachineWorld(.queue())
        other.nextActions = [.fails(after: 100)]
        _ = answers(other, 3)
        other.advance(to: 1000)
        #expect(other.called == ["r1", "r2", "r3"])
    }

    @Test("B26 flush: a failure by the time limit counts, even if its action has not come back")
    func flushAfterTimeout() {
        let world = MachineWorld(.queue(Queueing(afterFailure: .flush))) {
            ($0.times.timeout, $0.times.cancelGrace) = (.milliseconds(500), .milliseconds(200))
        }
        world.action = .stubborn(after: 3000)
        _ = answers(world, 2)
        world.advance(to: 60_000)
        #expect(
            world.events
                == "0 r1 started, 0 r2 held, 500 r1 cancelling, 700 r1 failed timeout orphaned, 700 r2 cancelled")
    }

    @Test("B26 flush: a press that was still being stored when the run failed does not run either")
    func flushWhileAccepting() {
        let world = MachineWorld(store: .slow(50), .queue(Queueing(afterFailure: .flush)))
        world.action = .fails(after: 10)
        world.press()
        world.advance(to: 55)
        world.press()
        world.advance(to: 60_000)
        #expect(world.called == ["r1"])
        #expect(world.events == "50 r1 started, 110 r1 failed thrown, 155 r2 cancelled")
    }

    @Test("B34 a cancelled run leaves the queue, its action is never called, the rest moves up")
    func cancelWaiting() {
        let world = MachineWorld(.queue())
        _ = answers(world, 3)
        #expect(world.answer(world.cancel("r2", by: .ben)) == "ok")
        #expect(world.button().waiting.map { world.button().position(of: $0) } == [1])
        #expect(world.answer(world.cancel("r2")) == "rejected stale r1")
        world.advance(to: 60_000)
        #expect(world.called == ["r1", "r3"])
        #expect(world.button().failures == 0)
    }

    @Test("B77 an action that outlives its time limit keeps the slot: the next one waits for it")
    func orphan() {
        let world = MachineWorld(.queue()) {
            ($0.times.timeout, $0.times.cancelGrace) = (.milliseconds(500), .milliseconds(200))
        }
        world.nextActions = [.stubborn(after: 3000)]
        _ = answers(world, 2)
        world.advance(to: 1000)
        #expect(world.answer(world.press()) == "rejected orphan_running r1")
        #expect(world.answer(world.retry("r1")) == "rejected stale r2")
        world.advance(to: 60_000)
        #expect(
            world.events
                == "0 r1 started, 0 r2 held, 500 r1 cancelling, 700 r1 failed timeout orphaned, 3000 r2 started, "
                + "3100 r2 succeeded")
        #expect(
            world.timeline() == "0 pending, 150 spinning, 700 held, 3000 spinning, 3100 settling, 3300 failure",
            "held while nothing runs, and the failure of another root is shown at the end")
    }

    @Test("B81 the first fails, the second succeeds: the failure is shown at the end of the busy period")
    func verdict() {
        let world = MachineWorld(.queue())
        world.nextActions = [.fails(after: 100)]
        _ = answers(world, 2)
        world.advance(to: 60_000)
        #expect(world.timeline() == "0 pending, 150 spinning, 200 settling, 450 failure")
        #expect(world.button().shown?.record.run == RunID("r1"))
    }

    @Test("Cancel without a run means the oldest active one, else the first that waits")
    func cancelAny() {
        let world = MachineWorld(store: .manual, .queue()) {
            ($0.times.timeout, $0.times.cancelGrace) = (.milliseconds(500), .milliseconds(200))
        }
        world.action = .stubborn(after: nil)
        _ = answers(world, 3)
        world.confirm()
        world.advance(to: 700)
        // The end of r1 is not stored yet, but there is nothing left to cancel of it.
        #expect(world.answer(world.cancel()) == "ok")
        world.confirm()
        #expect(world.events.hasSuffix("700 r1 failed timeout orphaned, 700 r2 cancelled"))
        #expect(world.answer(world.cancel()) == "ok")
        world.confirm()
        #expect(world.events.hasSuffix("700 r3 cancelled"))
        #expect(world.answer(world.cancel()) == "rejected stale")
        let running = MachineWorld(.queue())
        running.action = .stopping(0)
        _ = answers(running, 2)
        running.cancel()
        running.advance(to: 10)
        #expect(running.events == "0 r1 started, 0 r2 held, 0 r1 cancelling, 0 r2 started, 0 r1 cancelled")
    }

    @Test("A key of a waiting run: both answered alike while it is stored, a duplicate after that, one run")
    func keys() {
        let world = MachineWorld(store: .slow(50), .queue())
        world.press()
        world.advance(to: 100)
        let both = [world.press(by: .ann, key: "k"), world.press(by: .ben, key: "k")]
        let question = world.lookUp("k", by: .cat)
        world.advance(to: 150)
        #expect(both.map { world.answer($0) } == ["accepted r2", "accepted r2"], "r1 ended at 150")
        #expect(world.answer(question) == "duplicate r2")
        let held = MachineWorld(store: .slow(50), .queue())
        held.action = .returns(after: 1000)
        held.press()
        held.advance(to: 100)
        let pair = [held.press(by: .ann, key: "k"), held.press(by: .ben, key: "k")]
        held.advance(to: 200)
        #expect(pair.map { held.answer($0) } == ["held r2 at 1", "held r2 at 1"])
        #expect(held.answer(held.press(by: .cat, key: "k")) == "duplicate r2")
        held.advance(to: 60_000)
        #expect(held.answer(held.press(by: .cat, key: "k")) == "duplicate r2 succeeded")
        #expect(held.called == ["r1", "r2"])
    }

    @Test("The order is that of the presses, whatever order the store answers in")
    func storeOrder() {
        let world = MachineWorld(store: .manual, .queue())
        world.action = .returns(after: nil)
        world.press()
        world.confirm()
        let second = world.press()
        let third = world.press()
        world.finish("r1")
        world.confirm("r3")
        #expect(world.answer(third) == "held r3 at 1")
        world.confirm("r2")
        #expect(world.answer(second) == "accepted r2")
        world.finish("r2")
        #expect(world.called == ["r1", "r2", "r3"])
    }

    @Test("The press that waits is the newest, whatever order the store answers in")
    func storeOrderLast() {
        for policy in [Policy.queue(Queueing(keeping: .last)), .restart] {
            let world = MachineWorld(store: .manual, policy)
            world.action = .returns(after: nil)
            world.press()
            world.confirm()
            world.press()
            world.press()
            world.confirm("r3")
            world.confirm("r2")
            world.finish("r1")
            world.confirm()
            #expect(world.called == ["r1", "r3"])
            #expect(world.runEvents.contains { $0.event.record.run == RunID("r2") && $0.event.isSuperseded })
        }
    }

    @Test("Presses that displace each other are limited while the store does not answer", arguments: [true, false])
    func unsettled(_ isRestart: Bool) {
        let world = MachineWorld(store: .manual, isRestart ? .restart : .queue(Queueing(keeping: .last)))
        let all = (0..<20).map { _ in world.press() }
        #expect(all.map { world.answer($0) }.filter { $0 == "rejected queue_full" }.count == 4)
        world.confirm()
        world.confirm()
        #expect(world.button().runs.count <= 2)
    }

    @Test("A retry while something waits is stale")
    func retryWhileHeld() {
        let world = MachineWorld(.queue())
        world.nextActions = [.fails(after: 100)]
        _ = answers(world, 2)
        world.advance(to: 150)
        #expect(world.answer(world.retry("r1")) == "rejected stale r2")
        world.advance(to: 60_000)
        #expect(world.answer(world.retry("r1")) == "rejected stale r2", "r2 is the newest started run")
    }
}

extension RunEvent {
    fileprivate var isSuperseded: Bool {
        if case .ended(let end, _) = change { end.outcome == .superseded } else { false }
    }
}
