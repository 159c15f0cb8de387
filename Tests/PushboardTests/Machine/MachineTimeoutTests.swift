import Testing

@testable import Pushboard

@Suite("Machine: timeout")
struct MachineTimeoutTests {
    private func world(_ action: ActionScript) -> MachineWorld {
        let world = MachineWorld { $0.timeout = .milliseconds(500) }
        world.action = action
        return world
    }

    @Test("B35 timeout 500 of an action that listens: failed(timeout) at 500, and it can be retried")
    func cooperative() {
        let world = world(ActionScript(after: 2000))
        world.press()
        world.advance(to: 600)
        #expect(world.events == "0 r1 started, 500 r1 cancelling, 500 r1 failed timeout")
        #expect(world.timeline() == "0 pending, 150 spinning, 500 failure")
        #expect(world.button().failures == 1)
        #expect(world.answer(world.retry("r1")) == "accepted r2")
        world.advance(to: 60_000)
        #expect(world.events.hasSuffix("600 r2 started, 1100 r2 cancelling, 1100 r2 failed timeout"))
    }

    @Test("The message of a timeout names the limit and the key to change")
    func message() {
        let world = world(.returns(after: 2000))
        world.press()
        world.advance(to: 600)
        let message = world.button().shown?.end.error?.message ?? ""
        #expect(message.contains("0.5 s") && message.contains("`timeout`"))
    }

    @Test("An action that returns within the grace has succeeded, late")
    func lateSuccess() {
        let world = world(.stubborn(after: 2000))
        world.press()
        world.advance(to: 60_000)
        #expect(world.events == "0 r1 started, 500 r1 cancelling, 2000 r1 succeeded late")
    }

    @Test("After the grace it has failed and is orphaned; press and retry wait for the action's return")
    func orphaned() {
        let world = world(.stubborn(after: 9000))
        world.press(by: .ann, key: "k")
        world.advance(to: 6000)
        #expect(world.events == "0 r1 started, 500 r1 cancelling, 5500 r1 failed timeout orphaned")
        #expect(world.button().phase == .failure)
        #expect(world.answer(world.press(by: .ben)) == "rejected orphan_running r1")
        #expect(world.answer(world.retry("r1", by: .ben)) == "rejected orphan_running r1")
        #expect(world.answer(world.press(by: .ann, key: "k")) == "duplicate r1 failed")
        world.advance(to: 9000)
        #expect(world.button().phase == .failure, "the outcome was settled")
        #expect(world.answer(world.retry("r1", by: .ben)) == "accepted r2")
    }

    @Test("The first cause stays: a cancel after the timeout changes nothing, nor does a timeout after a cancel")
    func firstCause() {
        let timedOut = world(.stopping(100))
        timedOut.press()
        timedOut.advance(to: 550)
        #expect(timedOut.answer(timedOut.cancel("r1")) == "ok")
        timedOut.advance(to: 1000)
        #expect(timedOut.events == "0 r1 started, 500 r1 cancelling, 600 r1 failed timeout")
        let cancelled = world(.stopping(100))
        cancelled.press()
        cancelled.advance(to: 450)
        cancelled.cancel("r1")
        cancelled.advance(to: 1000)
        #expect(cancelled.events == "0 r1 started, 450 r1 cancelling, 550 r1 cancelled")
    }

    @Test("The timeout counts from each start and not while the run is stored")
    func countsFromStart() {
        let world = MachineWorld(store: .slow(400)) { $0.timeout = .milliseconds(500) }
        world.action = ActionScript(after: 499)
        world.press()
        world.advance(to: 60_000)
        #expect(world.events == "400 r1 started, 1299 r1 succeeded")
    }

    @Test("A run is overdue after ten minutes, which is shown and stops nothing")
    func overdue() {
        let world = MachineWorld()
        world.action = .returns(after: 700_000)
        world.press()
        world.advance(to: 599_999)
        let rev = world.button().rev
        #expect(world.button().runs.first?.isOverdue == false)
        world.advance(to: 600_000)
        #expect(world.button().runs.first?.isOverdue == true)
        #expect(world.button().rev == rev + 1)
        world.advance(to: 1_000_000)
        #expect(world.events == "0 r1 started, 700000 r1 succeeded")
    }

    @Test("Where runs usually take long, a run is overdue after three times the median of the last 20 successes")
    func usualLength() {
        var lengths = RunLengths()
        #expect(lengths.overdueAfter == .seconds(600))
        for minutes in [1, 9, 5, 7, 3] { lengths.succeeded(after: .seconds(60 * minutes)) }
        #expect(lengths.overdueAfter == .seconds(60 * 15))
        for _ in 0..<20 { lengths.succeeded(after: .seconds(60)) }
        #expect(lengths.overdueAfter == .seconds(600), "older ones are forgotten")
        let world = MachineWorld()
        for length in [400_000, 500_000, 800_000] {
            world.action = .returns(after: length)
            world.press()
            world.advance(by: 1_000_000)
        }
        world.action = .fails(after: 1)
        world.press()
        world.advance(by: 10)
        world.action = .returns(after: nil)
        world.press()
        world.advance(by: 1_499_999)
        #expect(world.button().runs.first?.isOverdue == false)
        world.advance(by: 1)
        #expect(world.button().runs.first?.isOverdue == true)
    }

    @Test("A return at the very instant of the timeout goes first")
    func sameInstant() {
        let world = world(.returns(after: 500))
        world.press()
        world.advance(to: 60_000)
        #expect(world.events == "0 r1 started, 500 r1 succeeded")
    }
}
