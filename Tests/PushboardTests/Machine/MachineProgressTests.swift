import Testing

@testable import Pushboard

@Suite("Machine: progress")
struct MachineProgressTests {
    private func running(_ store: MachineWorld.Store = .memory) -> MachineWorld {
        let world = MachineWorld(store: store)
        world.action = .returns(after: 10_000)
        world.press()
        world.confirm()
        return world
    }

    private func fraction(_ world: MachineWorld) -> Double? {
        world.button().runs.first?.report.progress?.fraction
    }

    @Test(
        "B63 shares are clamped, NaN is ignored",
        arguments: [(1.7, 1.0), (-0.2, 0.0), (.infinity, 1.0), (-.infinity, 0.0), (0.25, 0.25), (.nan, nil)]
            as [(Double, Double?)])
    func shares(_ given: Double, _ expected: Double?) async throws {
        let world = running()
        let record = try #require(world.record("r1"))
        let (deliveries, mailbox) = AsyncStream.makeStream(of: Run.self)
        let run = Run(record) { mailbox.yield($0) }
        run.progress(given)
        run.note("after it")
        for await delivery in deliveries.prefix(1) { world.report(delivery.newest(), by: "r1") }
        #expect(fraction(world) == expected)
        #expect(world.button().runs.first?.report.note == "after it")
    }

    @Test("A delivery that takes its time brings what is newest when it arrives, and the next one follows it")
    func overtaken() async throws {
        let record = try #require(running().record("r1"))
        let (deliveries, mailbox) = AsyncStream.makeStream(of: Run.self)
        var arrivals = deliveries.makeAsyncIterator()
        let run = Run(record) { mailbox.yield($0) }
        run.note("one")
        let first = try #require(await arrivals.next())
        run.note("two")
        #expect(first.newest().note == "two")
        run.note("three")
        let second = try #require(await arrivals.next())
        #expect(second.newest().note == "three")
        await run.finishReporting()
        mailbox.finish()
        #expect(await arrivals.next() == nil, "nothing is delivered twice")
    }

    @Test(
        "B63 steps: a total of 0 is indeterminate",
        arguments: [(0, 0, nil), (3, 0, nil), (1, 4, 0.25), (9, 4, 1), (-3, 4, 0), (Int.max, Int.max, 1)]
            as [(Int, Int, Double?)])
    func steps(_ completed: Int, _ total: Int, _ expected: Double?) {
        let world = running()
        world.report(RunReport(progress: .steps(completed: completed, total: total)), by: "r1")
        #expect(fraction(world) == expected)
    }

    @Test("Progress is pushed at once, then at most ten times a second, and the last value always follows")
    func pushes() {
        let world = running()
        let before = world.revs.count
        for step in 0...999 {
            world.report(RunReport(progress: .steps(completed: step, total: 999)), by: "r1")
            world.advance(by: 1)
        }
        world.advance(to: 2000)
        // Ten a second, one at the start, the last value, and the spinner.
        #expect(world.revs.count - before <= 12)
        #expect(fraction(world) == 1)
    }

    @Test("What waits for its turn is not shown before, and then under a new rev")
    func waits() {
        let world = running()
        world.report(RunReport(note: "one"), by: "r1")
        let rev = world.button().rev
        world.advance(to: 50)
        world.report(RunReport(note: "two"), by: "r1")
        #expect(world.button().runs.first?.report.note == "one")
        #expect(world.button().rev == rev)
        world.advance(to: 99)
        world.report(RunReport(note: "three"), by: "r1")
        world.advance(to: 100)
        #expect(world.button().runs.first?.report.note == "three")
        #expect(world.button().rev == rev + 1)
    }

    @Test("The same report again costs nothing; one that goes back to what is shown withdraws what waits")
    func same() {
        let world = running()
        world.report(RunReport(note: "one"), by: "r1")
        let rev = world.button().rev
        world.advance(to: 1000)
        let spinning = world.button().rev
        #expect(spinning == rev + 1)
        world.report(RunReport(note: "one"), by: "r1")
        #expect(world.button().rev == spinning)
        world.report(RunReport(note: "two"), by: "r1")
        world.report(RunReport(note: "three"), by: "r1")
        world.report(RunReport(note: "two"), by: "r1")
        world.advance(to: 2000)
        #expect(world.button().runs.first?.report.note == "two")
        #expect(world.button().rev == spinning + 1)
    }

    @Test("The last value follows even if the run's end is being stored meanwhile")
    func lastWhileEnding() {
        let world = running(.manual)
        world.report(RunReport(note: "one"), by: "r1")
        world.advance(to: 50)
        world.report(RunReport(note: "two"), by: "r1")
        world.finish("r1")
        world.advance(to: 100)
        #expect(world.button().runs.first?.report.note == "two")
    }

    @Test("B65 progress after the run ended, or of an orphan, is ignored")
    func late() {
        let world = MachineWorld()
        world.action = .stubborn(after: nil)
        world.press()
        world.cancel()
        world.advance(to: 5000)
        world.report(RunReport(note: "still here"), by: "r1")
        #expect(world.button().runs.first?.report.note == "still here", "a run that is stopping may report")
        world.cancel()
        var rev = world.button().rev
        world.report(RunReport(note: "late"), by: "r1")
        #expect(world.button().rev == rev)
        world.finish("r1")
        world.action = .returns(after: 1000)
        world.press()
        rev = world.button().rev
        world.report(RunReport(note: "old run"), by: "r1")
        #expect(world.button().rev == rev)
        #expect(world.button().runs.first?.report.note == nil)
    }

    @Test("A second end of the same action is ignored")
    func secondEnd() {
        let world = MachineWorld()
        world.press()
        world.advance(to: 500)
        let rev = world.button().rev
        world.finish("r1", .threw(RunError(code: "thrown", message: "again")))
        world.finish("r1")
        #expect(world.button().rev == rev)
        #expect(world.events == "0 r1 started, 100 r1 succeeded")
        #expect(world.button().failures == 0)
    }
}
