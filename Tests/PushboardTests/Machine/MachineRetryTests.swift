import Testing

@testable import Pushboard

@Suite("Machine: retry, dismiss and outcomes")
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

    @Test("Dismiss ends the hold of the outcome that is shown, for everybody, once")
    func dismiss() {
        let world = failed()
        #expect(world.answer(world.dismiss("r1", by: .ben)) == "ok")
        #expect(world.button().phase == .idle)
        #expect(world.answer(world.dismiss("r1", by: .ann)) == "rejected stale r1")
        #expect(world.answer(world.dismiss("r9")) == "rejected stale r1")
    }

    @Test("A success can be dismissed too; a running or settling run cannot")
    func dismissable() {
        let world = MachineWorld()
        world.action = .returns(after: 200)
        world.press()
        #expect(world.answer(world.dismiss("r1")) == "rejected stale")
        world.advance(to: 300)
        #expect(world.button().isSettling)
        #expect(world.answer(world.dismiss("r1")) == "rejected stale r1")
        world.advance(to: 500)
        #expect(world.answer(world.dismiss("r1")) == "ok")
        #expect(world.timeline().hasSuffix("450 success, 500 idle"))
    }

    @Test("B83 a failure that a newer one has replaced cannot be dismissed by its old name")
    func dismissReplaced() {
        let world = failed()
        world.action = .fails(after: 100)
        world.press()
        world.advance(to: 2000)
        #expect(world.answer(world.dismiss("r1", by: .ann)) == "rejected stale r2")
        #expect(world.button().phase == .failure)
    }
}

@Suite("Machine: settling")
struct MachineSettlingTests {
    @Test("B82 while settling a click is busy, a script's press is accepted and the spinner goes on")
    func pressWhileSettling() {
        let world = MachineWorld()
        world.action = .returns(after: 200)
        world.press(by: .ann)
        world.advance(to: 300)
        #expect(world.answer(world.press(by: .ben, .dom)) == "rejected busy r1")
        #expect(world.answer(world.press(by: .ben, .script)) == "accepted r2")
        world.advance(to: 60_000)
        #expect(
            world.timeline()
                == "0 pending, 150 spinning, 200 settling, 300 spinning, 500 success, 2500 idle")
    }

    @Test("B82 the second one is cancelled after a failure: the failure shows after the spinner's 300 ms")
    func cancelledWhileSettling() {
        let world = MachineWorld()
        world.action = .fails(after: 200)
        world.press()
        world.advance(to: 300)
        world.action = .stopping(0)
        world.press()
        world.advance(to: 350)
        world.cancel()
        world.advance(to: 60_000)
        #expect(
            world.timeline()
                == "0 pending, 150 spinning, 200 settling, 300 spinning, 350 settling, 450 failure")
        #expect(world.button().shown?.record.run == RunID("r1"))
    }

    @Test("A press that is stored while settling keeps the spinner until it is decided")
    func acceptingWhileSettling() {
        let world = MachineWorld()
        world.action = .returns(after: 200)
        world.press()
        world.advance(to: 300)
        world.store = .slow(1000)
        world.press()
        world.advance(to: 60_000)
        #expect(
            world.timeline()
                == "0 pending, 150 spinning, 200 settling, 1300 spinning, 2500 success, 4500 idle")
    }

    @Test("In one busy period a failure outlasts a later success of another root, and yields to one of its own")
    func verdicts() {
        let other = MachineWorld()
        other.action = .fails(after: 200)
        other.press()
        other.advance(to: 300)
        other.action = .returns(after: 500)
        other.press()
        other.advance(to: 1000)
        #expect(other.button().phase == .failure)
        #expect(other.button().shown?.record.run == RunID("r1"))
        let own = MachineWorld()
        own.action = .fails(after: 200)
        own.press()
        own.advance(to: 300)
        own.action = .returns(after: 500)
        #expect(own.answer(own.retry("r1", .dom)) == "rejected busy r1")
        #expect(own.answer(own.retry("r1", .script)) == "accepted r2")
        own.advance(to: 1000)
        #expect(own.button().phase == .success)
    }

    @Test("A period with more failures than are kept still shows the newest")
    func manyFailures() {
        let world = MachineWorld()
        world.action = .fails(after: 200)
        world.press()
        world.advance(to: 200)
        world.action = .fails(after: 1)
        for _ in 0..<100 {
            world.press()
            world.advance(by: 1)
        }
        #expect(world.button().period?.failures.count == BusyPeriod.mostFailures)
        world.advance(to: 60_000)
        #expect(world.button().shown?.record.run == RunID("r101"))
    }
}
