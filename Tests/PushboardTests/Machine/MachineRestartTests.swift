import Testing

@testable import Pushboard

@Suite("Machine: a press that restarts")
struct MachineRestartTests {
    @Test("B76 the old action does not listen: the new run waits, then starts in the same turn; never idle between")
    func stubborn() {
        let world = MachineWorld(.restart)
        world.nextActions = [.stubborn(after: 1000)]
        world.press()
        world.advance(to: 200)
        #expect(world.answer(world.press()) == "held r2 at 1")
        world.advance(to: 60_000)
        #expect(
            world.events
                == "0 r1 started, 200 r1 cancelling, 200 r2 held, 1000 r2 started, 1000 r1 succeeded late, "
                + "1100 r2 succeeded")
        #expect(world.timeline() == "0 pending, 150 spinning, 1100 success, 3100 idle")
    }

    @Test("B76 the waiting run can be cancelled: the old one goes on stopping")
    func cancelWaiting() {
        let world = MachineWorld(.restart)
        world.action = .stubborn(after: 1000)
        world.press()
        world.press()
        #expect(world.answer(world.cancel("r2", by: .ben)) == "ok")
        world.advance(to: 60_000)
        #expect(world.called == ["r1"])
        #expect(world.events.hasSuffix("0 r2 cancelled, 1000 r1 succeeded late"))
    }

    @Test("A run that stops is superseded, which counts for nothing; a further press supersedes the one that waits")
    func superseded() {
        let world = MachineWorld(.restart)
        world.nextActions = [.stopping(50)]
        world.press()
        world.advance(to: 200)
        let answers = [world.press(), world.press()].map { world.answer($0) }
        #expect(answers == ["held r2 at 1", "held r3 at 1"])
        world.advance(to: 60_000)
        #expect(
            world.events
                == "0 r1 started, 200 r1 cancelling, 200 r2 held, 200 r3 held, 200 r2 superseded, 250 r3 started, "
                + "250 r1 superseded, 350 r3 succeeded")
        #expect(world.timeline() == "0 pending, 150 spinning, 350 settling, 450 success, 2450 idle")
        #expect(world.button().failures == 0)
    }

    @Test("A run that is stopping already keeps its cause")
    func firstCause() {
        let world = MachineWorld(.restart)
        world.nextActions = [.stopping(500)]
        world.press()
        world.cancel()
        world.press()
        world.advance(to: 1000)
        #expect(world.events.contains("500 r1 cancelled"))
        #expect(world.called == ["r1", "r2"])
    }

    @Test("A run that never stops: a cancel abandons it as superseded, and the new one still waits for its action")
    func abandoned() {
        let world = MachineWorld(.restart)
        world.nextActions = [.stubborn(after: nil)]
        world.press()
        world.press()
        world.advance(to: 5000)
        #expect(world.answer(world.cancel()) == "ok")
        #expect(world.events.hasSuffix("5000 r1 superseded orphaned"))
        #expect(world.answer(world.press()) == "rejected orphan_running r1")
        #expect(world.button().phase == .held)
        world.finish("r1")
        #expect(world.called == ["r1", "r2"] && world.button().phase == .spinning)
    }

    @Test("A press between two attempts: the old run ends at once, the new one starts at once")
    func whileWaitingRetry() {
        let world = MachineWorld(.restart) { $0.retry = AutomaticRetry(attempts: 3) }
        world.nextActions = [.fails(after: 100)]
        world.press()
        world.advance(to: 500)
        #expect(world.answer(world.press()) == "accepted r2")
        world.advance(to: 60_000)
        #expect(
            world.events
                == "0 r1 started, 100 r1 retrying, 500 r2 started, 500 r1 superseded, 600 r2 succeeded")
        #expect(world.timeline() == "0 pending, 150 spinning, 600 success, 2600 idle")
    }
}
