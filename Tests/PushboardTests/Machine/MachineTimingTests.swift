import Testing

@testable import Pushboard

@Suite("Machine: timing")
struct MachineTimingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let action: ActionScript
        var delay = Span.milliseconds(150)
        var minimum = 300
        var hold = Span.seconds(2)
        let timeline: String
        let events: String

        init(
            _ name: String, _ action: ActionScript, delay: Span = .milliseconds(150), minimum: Int = 300,
            hold: Span = .seconds(2), timeline: String, events: String
        ) {
            testDescription = name
            self.action = action
            self.delay = delay
            self.minimum = minimum
            self.hold = hold
            self.timeline = timeline
            self.events = events
        }
    }

    @Test(
        "One press, its phases and its run events",
        arguments: [
            Row(
                "B1 100 ms: no spinner is ever shown", .returns(after: 100),
                timeline: "0 pending, 100 success, 2100 idle", events: "0 r1 started, 100 r1 succeeded"),
            Row(
                "B2 exactly 150 ms: the completion goes first", .returns(after: 150),
                timeline: "0 pending, 150 success, 2150 idle", events: "0 r1 started, 150 r1 succeeded"),
            Row(
                "B3 151 ms: the spinner stays its minimum, the script hears at once", .returns(after: 151),
                timeline: "0 pending, 150 spinning, 151 settling, 450 success, 2450 idle",
                events: "0 r1 started, 151 r1 succeeded"),
            Row(
                "B4 1000 ms", .returns(after: 1000),
                timeline: "0 pending, 150 spinning, 1000 success, 3000 idle",
                events: "0 r1 started, 1000 r1 succeeded"),
            Row(
                "B5 a failure at 200 ms, which is held", .fails(after: 200),
                timeline: "0 pending, 150 spinning, 200 settling, 450 failure",
                events: "0 r1 started, 200 r1 failed thrown"),
            Row(
                "B6 no minimum: success at 151 ms", .returns(after: 151), minimum: 0,
                timeline: "0 pending, 150 spinning, 151 success, 2151 idle",
                events: "0 r1 started, 151 r1 succeeded"),
            Row(
                "B7 no delay: spinning with the acknowledgement", .returns(after: 1000), delay: .milliseconds(0),
                timeline: "0 spinning, 1000 success, 3000 idle", events: "0 r1 started, 1000 r1 succeeded"),
            Row(
                "B7 never a spinner: pending until the end", .returns(after: 5000), delay: .never,
                timeline: "0 pending, 5000 success, 7000 idle", events: "0 r1 started, 5000 r1 succeeded"),
            Row(
                "B8 no hold: idle directly, and still an event", .returns(after: 100), hold: .milliseconds(0),
                timeline: "0 pending, 100 idle", events: "0 r1 started, 100 r1 succeeded"),
            Row(
                "B8 a hold forever", .returns(after: 100), hold: .forever,
                timeline: "0 pending, 100 success", events: "0 r1 started, 100 r1 succeeded"),
            Row(
                "B11 an action that returns at once runs once through all phases", .returns(after: 0),
                timeline: "0 pending, 0 success, 2000 idle", events: "0 r1 started, 0 r1 succeeded"),
        ])
    func phases(_ row: Row) {
        let world = MachineWorld {
            $0.spinnerDelay = row.delay
            $0.minimumSpinner = .milliseconds(row.minimum)
            $0.successHold = row.hold
        }
        world.action = row.action
        let press = world.press()
        #expect(world.answer(press) == "accepted r1")
        world.advance(to: 60_000)
        #expect(world.timeline() == row.timeline)
        #expect(world.events == row.events)
        #expect(world.called == ["r1"])
    }

    @Test("B7 a button that never shows a spinner is busy all the same")
    func neverSpinning() {
        let world = MachineWorld { $0.spinnerDelay = .never }
        world.action = .returns(after: 5000)
        world.press()
        world.advance(to: 4000)
        #expect(world.answer(world.press(by: .ben)) == "rejected busy r1")
    }

    @Test("B12 the wall clock is put back an hour: no timing changes, and durations stay true")
    func wallClock() throws {
        let world = MachineWorld()
        world.action = .returns(after: 1000)
        world.press()
        world.advance(to: 100)
        world.setWallClock(back: 3_600_000)
        world.advance(to: 60_000)
        #expect(world.timeline() == "0 pending, 150 spinning, 1000 success, 3000 idle")
        let end = try #require(world.runEvents.last)
        guard case .ended(_, let duration) = end.event.change else { throw ExpectationMissed() }
        #expect(duration == .milliseconds(1000))
        #expect(end.event.at == 1_000_000 + 1000 - 3_600_000)
    }

    @Test("A late timer shows the spinner late, and its minimum counts from then")
    func lateTimer() {
        var rig = MachineRig(buttons: ["b": ButtonTimes()])
        let press = Request(id: .integer(1), button: "b", verb: .press(PressDetails()))
        _ = rig.send(.request(press, from: Client.ann.caller, fresh: RunID("r1")))
        let record = rig.unstored[0]
        _ = rig.send(.persisted(record, durable: true))
        rig.moveClock(to: 400)
        _ = rig.send(.timersDue(record.button))
        rig.moveClock(to: 410)
        _ = rig.send(.actionEnded(record, .returned, random: 0.5))
        _ = rig.send(.endPersisted(record))
        #expect(rig.button("b").nextDeadline == .ms(700))
        rig.moveClock(to: 900)
        _ = rig.send(.timersDue(record.button))
        #expect(rig.button("b").phase == .success)
        #expect(rig.button("b").nextDeadline == .ms(2900), "the hold starts when the success is shown")
        #expect(rig.auditor.violations == [])
    }

    @Test("A timer that is not due does nothing, in every phase")
    func strayTimers() {
        let world = MachineWorld()
        world.action = .returns(after: 200)
        world.fireStrayTimer()
        world.press()
        for time in [0, 100, 160, 210, 300, 449, 460, 2000] {
            world.advance(to: time)
            world.fireStrayTimer()
        }
        world.advance(to: 60_000)
        #expect(world.timeline() == "0 pending, 150 spinning, 200 settling, 450 success, 2450 idle")
    }

    @Test("Every change that is shown has a higher rev, and an idle button costs none")
    func revs() {
        let world = MachineWorld()
        world.press()
        world.advance(to: 60_000)
        let revs = world.revs
        #expect(revs.count == 4 && revs == revs.sorted())
        world.fireStrayTimer()
        world.advance(to: 120_000)
        #expect(world.revs == revs)
        #expect(world.button().nextDeadline == nil)
    }
}

struct ExpectationMissed: Error {}
