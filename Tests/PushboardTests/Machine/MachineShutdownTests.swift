import Testing

@testable import Pushboard

@Suite("Machine: shutdown")
struct MachineShutdownTests {
    @Test("Presses are refused, their keys still answered, runs told to stop while clients watch")
    func draining() {
        let world = MachineWorld(buttons: ["a", "b"])
        world.action = .stopping(50)
        world.press("a", key: "k")
        world.shutDown()
        #expect(world.answer(world.press("b", key: "new")) == "rejected shutting_down")
        #expect(world.answer(world.press("a", key: "k")) == "duplicate r1")
        #expect(world.answer(world.lookUp("k", of: "a")) == "duplicate r1")
        #expect(!world.machine.isQuiet)
        world.advance(to: 50)
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 50 r1 cancelled")
        #expect(world.machine.isQuiet)
    }

    @Test("B39 an action that finishes after the shutdown began has succeeded, late")
    func finishesLate() {
        let world = MachineWorld()
        world.action = .stubborn(after: 300)
        world.press()
        world.shutDown()
        world.advance(to: 1000)
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 300 r1 succeeded late")
        #expect(world.machine.isQuiet)
    }

    @Test("An action that does not stop within the grace: nobody sees its end, and the server can go")
    func grace() {
        let world = MachineWorld()
        world.action = .stubborn(after: nil)
        world.press()
        world.shutDown()
        world.advance(to: 5000)
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 5000 r1 unknown interrupted orphaned")
        #expect(world.button().phase == .unknown)
        #expect(world.machine.isQuiet)
    }

    @Test("The second shutdown gives up at once, each run by its own first cause")
    func twice() {
        let world = MachineWorld(buttons: ["a", "b", "c"]) { $0.timeout = .milliseconds(500) }
        world.action = .stubborn(after: nil)
        world.press("a")
        world.advance(to: 500)
        world.press("b")
        world.cancel(of: "b")
        world.press("c")
        world.shutDown()
        world.advance(to: 600)
        #expect(!world.machine.isQuiet)
        world.shutDown()
        #expect(
            world.events.hasSuffix(
                "600 r1 failed timeout orphaned, 600 r2 cancelled orphaned, 600 r3 unknown interrupted orphaned"))
        #expect(world.machine.isQuiet)
    }

    @Test("A run that its canceller left stuck is given up by the first shutdown")
    func stuck() {
        let world = MachineWorld()
        world.action = .stubborn(after: nil)
        world.press()
        world.cancel()
        world.advance(to: 6000)
        world.shutDown()
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 6000 r1 cancelled orphaned")
    }

    @Test("A run that is cancelled and becomes stuck during the shutdown ends with the grace")
    func stuckMeanwhile() {
        let world = MachineWorld()
        world.action = .stubborn(after: nil)
        world.press()
        world.cancel()
        world.advance(to: 1000)
        world.shutDown()
        world.advance(to: 5000)
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 5000 r1 cancelled orphaned")
        #expect(world.machine.isQuiet)
    }

    @Test("A run that is being stored ends without having started")
    func accepting() {
        let world = MachineWorld(store: .slow(50))
        let press = world.press()
        world.shutDown()
        #expect(!world.machine.isQuiet)
        world.advance(to: 200)
        #expect(world.answer(press) == "accepted r1")
        #expect(world.events == "100 r1 cancelled" && world.called == [])
        #expect(world.machine.isQuiet)
    }

    @Test("A button that is not cancellable is stopped by a shutdown all the same")
    func notCancellable() {
        let world = MachineWorld(cancellable: false)
        world.action = .stopping(0)
        world.press()
        world.shutDown()
        world.advance(to: 10)
        #expect(world.events == "0 r1 started, 0 r1 cancelling, 0 r1 cancelled")
    }

    @Test("Those that wait are cancelled at once and never start, whatever they wait for")
    func waiting() {
        let queue = MachineWorld(.queue())
        queue.action = .stopping(50)
        for _ in 0..<3 { queue.press() }
        queue.shutDown()
        queue.advance(to: 1000)
        #expect(
            queue.events
                == "0 r1 started, 0 r2 held, 0 r3 held, 0 r1 cancelling, 0 r2 cancelled, 0 r3 cancelled, "
                + "50 r1 cancelled")
        #expect(queue.called == ["r1"] && queue.machine.isQuiet)
        let undo = MachineWorld(.reject) { $0.times.undo = .seconds(5) }
        undo.press()
        undo.shutDown()
        undo.advance(to: 60_000)
        #expect(undo.events == "0 r1 held, 0 r1 cancelled" && undo.called == [])
        let retry = MachineWorld(.reject) { $0.retry = AutomaticRetry(attempts: 3) }
        retry.action = .fails(after: 100)
        retry.press()
        retry.advance(to: 200)
        retry.shutDown()
        retry.advance(to: 60_000)
        #expect(retry.events == "0 r1 started, 100 r1 retrying, 200 r1 cancelled" && retry.called == ["r1"])
    }

    @Test("In a group nobody's turn comes any more, stored or not", arguments: [true, false])
    func group(_ isSlow: Bool) {
        let rules = ButtonRules(policy: .queue(), group: "g")
        let world = MachineWorld(store: isSlow ? .slow(50) : .memory, rules: ["a": rules, "b": rules])
        world.action = .stopping(20)
        world.press("a")
        world.advance(to: 60)
        world.press("b")
        world.shutDown()
        world.advance(to: 60_000)
        #expect(world.called == ["r1"] && world.machine.isQuiet)
    }
}
