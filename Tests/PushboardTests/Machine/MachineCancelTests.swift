import Testing

@testable import Pushboard

@Suite("Machine: cancel")
struct MachineCancelTests {
    @Test("B30 cancel of an action that listens: cancelling, cancelled, idle at once, no failure counted")
    func cooperative() {
        let world = MachineWorld()
        world.action = .stopping(50)
        world.press()
        world.advance(to: 200)
        #expect(world.answer(world.cancel("r1", by: .ben)) == "ok")
        #expect(world.button().runs.first?.isCancelling == true)
        world.advance(to: 60_000)
        #expect(world.timeline() == "0 pending, 150 spinning, 250 idle")
        #expect(world.events == "0 r1 started, 200 r1 cancelling, 250 r1 cancelled")
        #expect(world.button().failures == 0)
    }

    @Test("B31 cancel twice while it stops: ok both times, one cancelled; after the end stale, and nothing changes")
    func twice() {
        let world = MachineWorld()
        world.action = .stopping(50)
        world.press()
        let answers = [world.cancel("r1"), world.cancel("r1", by: .ben)].map { world.answer($0) }
        #expect(answers == ["ok", "ok"])
        world.advance(to: 100)
        let rev = world.button().rev
        #expect(world.answer(world.cancel("r1")) == "rejected stale")
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 50 r1 cancelled")
        #expect(world.button().rev == rev)
    }

    @Test("Cancel without a run means the active one; with nothing to cancel it is stale, as is a wrong run")
    func whichRun() {
        let world = MachineWorld()
        #expect(world.answer(world.cancel()) == "rejected stale")
        world.action = .stopping(0)
        world.press()
        #expect(world.answer(world.cancel("r7")) == "rejected stale r1")
        #expect(world.answer(world.cancel()) == "ok")
        world.advance(to: 10)
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 0 r1 cancelled")
        let stale = world.fullAnswer(world.cancel("r1"))
        #expect(stale?.button == ItemID("b"), "the current state goes along")
    }

    @Test("B33 an action that throws CancellationError by itself is cancelled, not failed")
    func unasked() {
        let world = MachineWorld()
        world.action = .cancelsItself(after: 200)
        world.press()
        world.advance(to: 60_000)
        #expect(world.events == "0 r1 started, 200 r1 cancelled")
        #expect(world.timeline() == "0 pending, 150 spinning, 200 idle")
        #expect(world.button().failures == 0)
    }

    @Test("An action that was told to stop and throws anything is cancelled")
    func throwsOnCancel() {
        let world = MachineWorld()
        world.action = .stubborn(after: nil)
        world.press()
        world.cancel()
        world.advance(to: 30)
        world.finish("r1", .threw(RunError(code: "thrown", message: "interrupted")))
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 30 r1 cancelled")
    }

    @Test("An action that was told to stop and succeeds has succeeded, late: the side effect happened")
    func lateSuccess() {
        let world = MachineWorld()
        world.action = .stubborn(after: 300)
        world.press()
        world.cancel()
        world.advance(to: 60_000)
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 300 r1 succeeded late")
        #expect(world.timeline() == "0 pending, 150 spinning, 300 settling, 450 success, 2450 idle")
    }

    @Test("An action that does not stop within the grace is stuck and stays; it can still succeed")
    func stuck() {
        let world = MachineWorld()
        world.action = .stubborn(after: 9000)
        world.press()
        world.advance(to: 1000)
        world.cancel()
        world.advance(to: 5999)
        #expect(world.button().runs.first?.isStuck == false)
        world.advance(to: 6000)
        #expect(world.button().runs.first?.isStuck == true)
        #expect(world.answer(world.press(by: .ben)) == "rejected busy r1")
        world.advance(to: 9000)
        #expect(world.events == "0 r1 started, 1000 r1 cancelling, 9000 r1 succeeded late")
    }

    @Test("A second cancel abandons a stuck run; its action keeps the slot until it returns, and then changes nothing")
    func abandoned() {
        let world = MachineWorld()
        world.action = .stubborn(after: 9000)
        world.press()
        world.cancel()
        world.advance(to: 6000)
        #expect(world.answer(world.cancel("r1", by: .ben)) == "ok")
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 6000 r1 cancelled orphaned")
        #expect(world.button().phase == .idle)
        #expect(world.answer(world.press(by: .ben)) == "rejected orphan_running r1")
        #expect(world.answer(world.cancel("r1")) == "rejected stale")
        let rev = world.button().rev
        world.advance(to: 9000)
        #expect(world.button().rev == rev)
        #expect(world.answer(world.press(by: .ben)) == "accepted r2")
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 6000 r1 cancelled orphaned, 9000 r2 started")
    }

    @Test("An action that comes back while its abandonment is stored frees the slot, and the run stays cancelled")
    func backWhileAbandoned() {
        let world = MachineWorld(store: .manual)
        world.action = .stubborn(after: 6500)
        world.press()
        world.confirm()
        world.cancel()
        world.advance(to: 6000)
        world.cancel()
        world.advance(to: 7000)
        world.confirm()
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 7000 r1 cancelled orphaned")
        let next = world.press()
        world.confirm()
        #expect(world.answer(next) == "accepted r2")
    }

    @Test("A button that is not cancellable refuses, and its run goes on")
    func notCancellable() {
        let world = MachineWorld(cancellable: false)
        world.press()
        #expect(world.answer(world.cancel("r1")) == "rejected not_cancellable r1")
        #expect(world.answer(world.cancel()) == "rejected not_cancellable r1")
        world.advance(to: 200)
        #expect(world.events == "0 r1 started, 100 r1 succeeded")
    }
}
