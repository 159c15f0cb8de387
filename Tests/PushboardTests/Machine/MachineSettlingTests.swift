import Testing

@testable import Pushboard

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
