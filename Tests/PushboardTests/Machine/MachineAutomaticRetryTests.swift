import Testing

@testable import Pushboard

@Suite("Machine: automatic retry")
struct MachineAutomaticRetryTests {
    private func world(attempts: Int = 3, _ adjust: (inout ButtonTimes) -> Void = { _ in }) -> MachineWorld {
        MachineWorld(.reject) {
            $0.retry = AutomaticRetry(attempts: attempts)
            adjust(&$0.times)
        }
    }

    @Test("B46 fails, fails, succeeds: one success, attempt 3 of the same run, no failure is ever shown")
    func succeedsInTheEnd() {
        let world = world()
        world.nextActions = [.fails(after: 100), .fails(after: 100)]
        world.press()
        world.advance(to: 500)
        #expect(world.answer(world.press(by: .ben)) == "rejected busy r1")
        world.advance(to: 60_000)
        #expect(
            world.events
                == "0 r1 started, 100 r1 retrying, 1100 r1 started, 1200 r1 retrying, 3200 r1 started, "
                + "3300 r1 succeeded")
        #expect(world.timeline() == "0 pending, 150 spinning, 3300 success, 5300 idle")
        #expect(world.runEvents.filter { $0.event.change == .started }.map(\.event.record.attempt) == [1, 2, 3])
        #expect(world.runEvents.last?.event.record.attempt == 3)
        #expect(world.button().failures == 0)
    }

    @Test("B46 cancelled between two attempts: cancelled at once")
    func cancelled() {
        let world = world()
        world.action = .fails(after: 100)
        world.press()
        world.advance(to: 500)
        #expect(world.answer(world.cancel("r1")) == "ok")
        world.advance(to: 60_000)
        #expect(world.events == "0 r1 started, 100 r1 retrying, 500 r1 cancelled")
        #expect(world.timeline() == "0 pending, 150 spinning, 500 idle")
        #expect(world.button().failures == 0)
    }

    @Test("When the attempts are used up there is one failure; a retry by hand counts on and has all attempts again")
    func usedUp() {
        let world = world(attempts: 2)
        world.action = .fails(after: 100)
        world.press()
        world.advance(to: 5000)
        #expect(world.timeline() == "0 pending, 150 spinning, 1200 failure")
        #expect(world.button().failures == 1)
        #expect(world.answer(world.retry("r1")) == "accepted r2")
        world.advance(to: 60_000)
        #expect(world.runEvents.filter { $0.event.change == .started }.map(\.event.record.attempt) == [1, 2, 3, 4])
        #expect(world.record("r2")?.root == RunID("r1"))
    }

    @Test("What is not retryable fails at once, what cancels itself is cancelled")
    func notRetryable() {
        let failing = world()
        failing.action = .fails(after: 100, retryable: false)
        failing.press()
        failing.advance(to: 60_000)
        #expect(failing.events == "0 r1 started, 100 r1 failed thrown")
        let cancelling = world()
        cancelling.action = .cancelsItself(after: 100)
        cancelling.press()
        cancelling.advance(to: 60_000)
        #expect(cancelling.events == "0 r1 started, 100 r1 cancelled")
    }

    @Test("The delay is 1 s, doubling up to 30 s, a fifth more or less")
    func delays() {
        let retry = AutomaticRetry(attempts: 100)
        func range(_ attempt: Int) -> [Int] {
            [0, 0.5, 1].map { retry.delay(afterAttempt: attempt, random: $0).milliseconds }
        }
        #expect(range(1) == [800, 1000, 1200])
        #expect(range(2) == [1600, 2000, 2400])
        #expect(range(5) == [12_800, 16_000, 19_200])
        for attempt in [6, 7, 64, 1000] { #expect(range(attempt) == [24_000, 30_000, 36_000]) }
    }

    @Test("The lot that is drawn with the end of the action decides the delay")
    func drawnDelay() {
        for (random, start) in [(0.0, 900), (1.0, 1300)] {
            let world = world()
            world.random = random
            world.nextActions = [.fails(after: 100)]
            world.press()
            world.advance(to: start - 1)
            #expect(world.called == ["r1"])
            world.advance(to: start)
            #expect(world.called == ["r1", "r1"])
        }
    }

    @Test("The time limit counts anew for each attempt; a run that exceeds it fails without another attempt")
    func timeout() {
        let world = world { $0.timeout = .milliseconds(500) }
        world.nextActions = [.fails(after: 400), .fails(after: 499), .stopping(0)]
        world.press()
        world.advance(to: 60_000)
        #expect(
            world.events
                == "0 r1 started, 400 r1 retrying, 1400 r1 started, 1899 r1 retrying, 3899 r1 started, "
                + "4399 r1 cancelling, 4399 r1 failed timeout")
    }

    @Test("B65 the next attempt starts without the progress of the last one, which has nothing to say any more")
    func progress() throws {
        let world = world()
        world.nextActions = [.fails(after: 100), .returns(after: 5000)]
        world.press()
        let first = try #require(world.record("r1"))
        world.report(RunReport(progress: .fraction(0.8)), by: "r1")
        world.advance(to: 50)
        world.report(RunReport(progress: .fraction(0.9)), by: "r1")
        world.advance(to: 500)
        world.report(RunReport(progress: .fraction(0.95)), by: first)
        world.advance(to: 1500)
        #expect(world.button().runs.first?.report == RunReport())
        world.report(RunReport(progress: .fraction(1)), by: first)
        #expect(world.button().runs.first?.report == RunReport())
        world.report(RunReport(progress: .fraction(0.1)), by: "r1")
        #expect(world.button().runs.first?.report.progress == .fraction(0.1))
    }

    @Test("A queue waits for the attempts of the run before")
    func queue() {
        let world = MachineWorld(.queue()) { $0.retry = AutomaticRetry(attempts: 2) }
        world.nextActions = [.fails(after: 100)]
        world.press()
        world.press()
        world.advance(to: 60_000)
        #expect(world.called == ["r1", "r1", "r2"])
        #expect(
            world.events
                == "0 r1 started, 0 r2 held, 100 r1 retrying, 1100 r1 started, 1200 r2 started, 1200 r1 succeeded, "
                + "1300 r2 succeeded")
    }
}
