import Testing

@testable import Pushboard

@Suite("Machine: runs beside each other, and ten presses at once")
struct MachineParallelTests {
    @Test("B20 three runs beside each other: spinning until the last has ended, one success")
    func three() {
        let world = MachineWorld(.parallel(max: 3))
        world.nextActions = [.returns(after: 200), .returns(after: 400), .returns(after: 600)]
        for _ in 0..<3 { world.press() }
        world.advance(to: 60_000)
        #expect(world.timeline() == "0 pending, 150 spinning, 600 success, 2600 idle")
    }

    @Test("B21 one of three fails: failure after the last, the successes are run events")
    func oneFails() {
        let world = MachineWorld(.parallel(max: 3))
        world.nextActions = [.returns(after: 200), .fails(after: 300), .returns(after: 600)]
        for _ in 0..<3 { world.press() }
        world.advance(to: 60_000)
        #expect(world.timeline() == "0 pending, 150 spinning, 600 failure")
        #expect(world.events.hasSuffix("200 r1 succeeded, 300 r2 failed thrown, 600 r3 succeeded"))
        #expect(world.button().shown?.record.run == RunID("r2"))
    }

    @Test("B22 parallel(2): the third press is busy, until one has ended")
    func full() {
        let world = MachineWorld(.parallel(max: 2))
        world.nextActions = [.returns(after: 100), .returns(after: 200)]
        let answers = (0..<3).map { _ in world.answer(world.press()) }
        #expect(answers == ["accepted r1", "accepted r2", "rejected busy r1"])
        world.advance(to: 100)
        #expect(world.answer(world.press()) == "accepted r3")
    }

    @Test("A retry names the newest started run, also when it was not the last to end")
    func retry() {
        let world = MachineWorld(.parallel(max: 2))
        world.nextActions = [.fails(after: 300), .fails(after: 100)]
        world.press()
        world.press()
        world.advance(to: 1000)
        #expect(world.answer(world.retry("r1")) == "rejected stale r1")
        #expect(world.answer(world.retry("r2")) == "accepted r3")
    }

    @Test("Each run is cancelled by itself; without a run the oldest")
    func cancel() {
        let world = MachineWorld(.parallel(max: 3))
        world.action = .stopping(0)
        for _ in 0..<3 { world.press() }
        world.cancel("r2")
        world.cancel()
        world.advance(to: 100)
        #expect(world.events.hasSuffix("0 r2 cancelling, 0 r1 cancelling, 0 r2 cancelled, 0 r1 cancelled"))
        #expect(world.button().runs.map(\.id) == [RunID("r3")])
    }

    @Test("Those that wait for an action that nobody stops start together when it comes back")
    func afterOrphan() {
        let world = MachineWorld(.parallel(max: 3)) { $0.times.undo = .milliseconds(100) }
        world.action = .stubborn(after: nil)
        world.press()
        world.advance(to: 200)
        world.cancel()
        world.advance(to: 5200)
        world.press()
        world.press()
        world.cancel("r1")
        world.advance(to: 5400)
        #expect(world.called == ["r1"])
        world.finish("r1")
        #expect(world.called == ["r1", "r2", "r3"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let policy: Policy
        let called: [String]
        let refused: [String: Int]

        init(_ name: String, _ policy: Policy, called: [String], refused: [String: Int] = [:]) {
            (testDescription, self.policy, self.called, self.refused) = (name, policy, called, refused)
        }
    }

    @Test(
        "D10 ten presses at once under each policy",
        arguments: [
            Row("reject", .reject, called: ["r1"], refused: ["rejected busy r1": 9]),
            Row(
                "queue(3)", .queue(Queueing(keeping: .all(max: 3))), called: ["r1", "r2", "r3", "r4"],
                refused: ["rejected queue_full r1": 6]),
            Row(
                "queue-first", .queue(Queueing(keeping: .first)), called: ["r1", "r2"],
                refused: ["rejected queue_full r1": 8]),
            Row("queue-last", .queue(Queueing(keeping: .last)), called: ["r1", "r10"]),
            Row("restart", .restart, called: ["r1", "r10"]),
            Row("parallel(3)", .parallel(max: 3), called: ["r1", "r2", "r3"], refused: ["rejected busy r1": 7]),
        ])
    func tenAtOnce(_ row: Row) {
        let world = MachineWorld(row.policy)
        let answers = (0..<10).map { _ in world.answer(world.press()) }
        world.advance(to: 60_000)
        #expect(world.called == row.called)
        let refused = answers.filter { $0.hasPrefix("rejected") }
        #expect(Dictionary(grouping: refused) { $0 }.mapValues(\.count) == row.refused)
        #expect(world.machine.isQuiet && world.button().phase == .idle)
    }
}
