import Testing

@testable import Pushboard

@Suite("Machine: retry")
struct MachineRetryTests {
    private func failed(_ adjust: (inout ButtonTimes) -> Void = { _ in }) -> MachineWorld {
        let world = MachineWorld(adjust)
        world.action = .fails(after: 100)
        world.press()
        world.advance(to: 1000)
        world.action = .returns(after: 100)
        return world
    }

    @Test("B40 a retry is a new run of the same root, attempt 2")
    func retry() {
        let world = failed()
        #expect(world.answer(world.retry("r1")) == "accepted r2")
        world.advance(to: 2000)
        #expect(world.record("r2")?.root == RunID("r1"))
        #expect(world.record("r2")?.attempt == 2)
        #expect(world.called == ["r1", "r2"])
    }

    @Test("B10 a failure and a retry that succeeds: only the success is shown, the error goes when the run starts")
    func retrySucceeds() {
        let world = failed()
        world.retry("r1")
        #expect(world.button().shown == nil)
        world.advance(to: 60_000)
        #expect(world.timeline() == "0 pending, 100 failure, 1000 pending, 1100 success, 3100 idle")
        #expect(world.button().failures == 0)
    }

    @Test("Attempts count over the root, and failures in a row are counted until a success")
    func attempts() {
        let world = failed()
        world.action = .fails(after: 100)
        world.retry("r1")
        world.advance(to: 2000)
        #expect(world.button().failures == 2)
        world.action = .stopping(0)
        world.press()
        world.cancel()
        world.advance(to: 2100)
        #expect(world.button().failures == 2, "a cancelled run is neither")
        world.action = .returns(after: 100)
        world.press()
        world.advance(to: 3000)
        #expect(world.button().failures == 0)
    }

    @Test("A retry of a retry is attempt 3 of the first root")
    func thirdAttempt() {
        let world = failed()
        world.action = .fails(after: 100)
        world.retry("r1")
        world.advance(to: 2000)
        world.retry("r2")
        #expect(world.record("r3")?.root == RunID("r1"))
        #expect(world.record("r3")?.attempt == 3)
    }

    @Test("B41 two tabs press Retry together: one run, the second is stale with the new state")
    func together() {
        let world = failed()
        let first = world.retry("r1", by: .ann, .dom)
        let second = world.retry("r1", by: .ben, .dom)
        #expect(world.answer(first) == "accepted r2")
        #expect(world.answer(second) == "rejected stale r2")
        #expect(world.fullAnswer(second)?.button == ItemID("b"))
    }

    @Test("B42 a retry of an old run after a newer success is stale")
    func oldRun() {
        let world = failed()
        world.press()
        world.advance(to: 2000)
        #expect(world.answer(world.retry("r1")) == "rejected stale r2")
        #expect(world.answer(world.retry("r2")) == "rejected stale r2")
        #expect(world.answer(world.retry("r9")) == "rejected stale r2")
    }

    @Test("A retry before anything ran is stale")
    func nothingRan() {
        let world = MachineWorld()
        #expect(world.answer(world.retry("r1")) == "rejected stale")
    }

    @Test("B43 a fresh press after a failure is attempt 1 of its own root")
    func freshPress() {
        let world = failed()
        world.press()
        #expect(world.record("r2")?.root == RunID("r2"))
        #expect(world.record("r2")?.attempt == 1)
    }

    @Test("B44 an error that is not retryable: not_retryable")
    func notRetryable() {
        let world = MachineWorld()
        world.action = .fails(after: 100, retryable: false)
        world.press()
        world.advance(to: 1000)
        #expect(world.answer(world.retry("r1")) == "rejected not_retryable r1")
        #expect(world.button().newestStarted?.isRetryable == false)
    }

    @Test("A run that was cancelled before it started does not stand in the way of a retry")
    func retryAfterCancelledWhileAccepting() {
        let world = failed()
        world.store = .slow(50)
        world.press()
        world.cancel()
        #expect(world.answer(world.retry("r1")) == "rejected stale r1", "something is being accepted")
        world.advance(to: 2000)
        world.store = .memory
        #expect(world.answer(world.retry("r1")) == "accepted r3")
    }

    @Test("A run that was started and cancelled does")
    func retryAfterCancelled() {
        let world = failed()
        world.action = .stopping(0)
        world.press()
        world.cancel()
        world.advance(to: 2000)
        #expect(world.answer(world.retry("r1")) == "rejected stale r2")
        #expect(world.answer(world.retry("r2")) == "rejected stale r2")
    }

    @Test("Neither a dismissal nor the end of the hold stands in the way of a retry")
    func retryAfterDismissal() {
        let dismissed = failed()
        dismissed.dismiss("r1")
        #expect(dismissed.answer(dismissed.retry("r1")) == "accepted r2")
        let over = failed { $0.failureHold = .seconds(5) }
        over.advance(to: 10_000)
        #expect(over.timeline() == "0 pending, 100 failure, 5100 idle")
        #expect(over.answer(over.retry("r1")) == "accepted r2")
    }
}
