import Testing

@testable import Pushboard

@Suite("Machine: while a run is stored")
struct MachineAcceptingTests {
    @Test("Nothing is acknowledged, started or shown before the run is stored; the timers start then")
    func slowStore() {
        let world = MachineWorld(store: .slow(500))
        world.action = .returns(after: 1000)
        let press = world.press()
        let rev = world.button().rev
        world.advance(to: 499)
        #expect(world.answer(press) == "-" && world.events == "" && world.timeline() == "" && world.called == [])
        #expect(world.button().rev == rev)
        world.advance(to: 60_000)
        #expect(world.answerTime(press) == 500)
        #expect(world.timeline() == "500 pending, 650 spinning, 2000 success, 4000 idle")
        #expect(world.events == "500 r1 started, 2000 r1 succeeded")
    }

    @Test("An end is shown and reported after it is stored; until then the run still counts as running")
    func slowEnd() {
        let world = MachineWorld(store: .manual)
        world.press()
        world.confirm()
        world.advance(to: 140)
        #expect(world.events == "0 r1 started")
        #expect(world.answer(world.press(by: .ben)) == "rejected busy r1")
        #expect(world.answer(world.cancel("r1")) == "ok")
        world.advance(to: 160)
        #expect(world.button().phase == .spinning)
        world.advance(to: 1000)
        world.confirm()
        #expect(world.timeline() == "0 pending, 150 spinning, 1000 success")
        #expect(world.events == "0 r1 started, 1000 r1 succeeded")
    }

    @Test("B78 a press while accepting is busy, without the run's id")
    func busyWhileAccepting() {
        let world = MachineWorld(store: .slow(50))
        world.press(by: .ann)
        #expect(world.answer(world.press(by: .ben)) == "rejected busy")
        #expect(world.answer(world.press(by: .ann, .dom)) == "rejected busy")
        #expect(world.answer(world.cancel("r9", by: .ben)) == "rejected stale")
        #expect(world.answer(world.retry("r1", by: .ben)) == "rejected stale")
    }

    @Test("B78 the same key twice while accepting: one run, both answered alike")
    func sameKeyWhileAccepting() {
        let world = MachineWorld(store: .slow(50))
        let first = world.press(by: .ann, key: "k")
        let second = world.press(by: .ben, key: "k", watch: false)
        let question = world.lookUp("k", by: .cat)
        #expect([first, second, question].map { world.answer($0) } == ["-", "-", "-"])
        world.advance(to: 50)
        #expect(world.answer(first) == "accepted r1")
        #expect(world.answer(second) == "accepted r1")
        #expect(world.answer(question) == "duplicate r1")
        #expect(world.watchers[RunID("r1")] == [Client.ann.connection])
        world.advance(to: 1000)
        #expect(world.called == ["r1"])
    }

    @Test("The same key with something else while accepting: key_reused, without the run's id")
    func keyReusedWhileAccepting() {
        let world = MachineWorld(store: .slow(50))
        world.press(by: .ann, key: "k")
        #expect(world.answer(world.retry("r0", by: .ben, key: "k")) == "rejected key_reused")
        world.advance(to: 60)
        #expect(world.answer(world.retry("r0", by: .ben, key: "k")) == "rejected key_reused r1")
    }

    @Test("B78 a cancel while accepting: the action is never called, and the presser hears of the run")
    func cancelWhileAccepting() {
        let world = MachineWorld(store: .slow(50))
        let press = world.press(by: .ann)
        #expect(world.answer(world.cancel(by: .ben)) == "ok")
        #expect(world.answer(world.cancel(by: .ben)) == "ok")
        world.advance(to: 50)
        #expect(world.answer(press) == "accepted r1", "its end is not stored yet")
        #expect(world.answer(world.press(by: .ben)) == "rejected busy r1")
        world.advance(to: 60_000)
        #expect(world.called == [])
        #expect(world.events == "100 r1 cancelled")
        #expect(world.timeline() == "")
        #expect(world.button().failures == 0)
    }

    @Test("A run that was cancelled while accepting leaves a held outcome alone")
    func cancelledWhileAcceptingInHold() {
        let world = MachineWorld()
        world.action = .fails(after: 100)
        world.press()
        world.advance(to: 1000)
        world.store = .slow(50)
        world.press()
        world.cancel()
        world.advance(to: 2000)
        #expect(world.timeline() == "0 pending, 100 failure")
    }

    @Test("B79 the store cannot keep it: the run goes on, and the answer says so")
    func failingStore() {
        let world = MachineWorld(store: .failing)
        let press = world.press()
        #expect(world.answer(press) == "accepted r1 not durable")
        world.advance(to: 200)
        #expect(world.events == "0 r1 started, 100 r1 succeeded")
    }

    @Test("Those who wait for the same run are limited; one too many is told to ask later, and nothing is remembered")
    func waiters() {
        var limits = Limits()
        limits.waitersPerRun = 3
        let world = MachineWorld(store: .slow(50), limits: limits)
        let waiting = (0..<3).map { _ in world.press(key: "k") }
        #expect(world.answer(world.press(key: "k")) == "rejected rate_limited after 1000")
        #expect(world.answer(world.lookUp("k")) == "rejected rate_limited after 1000")
        world.advance(to: 50)
        #expect(waiting.map { world.answer($0) } == ["accepted r1", "accepted r1", "accepted r1"])
        #expect(world.answer(world.press(key: "k")) == "duplicate r1")
    }
}
