import Testing

@testable import Pushboard

@Suite("Machine: presses at once")
struct MachineConcurrencyTests {
    @Test("B14 two script presses in one batch: one run, the second is told which")
    func batch() {
        let world = MachineWorld()
        let first = world.press()
        let second = world.press()
        #expect(world.answer(first) == "accepted r1")
        #expect(world.answer(second) == "rejected busy r1")
        world.advance(to: 60_000)
        #expect(world.called == ["r1"])
    }

    @Test("B15 two sockets press at once: one run, one accepted, one busy")
    func twoSockets() {
        let world = MachineWorld()
        let answers = [world.press(by: .ann, .dom), world.press(by: .ben, .dom)].map { world.answer($0) }
        #expect(answers == ["accepted r1", "rejected busy r1"])
        world.advance(to: 60_000)
        #expect(world.timeline() == "0 pending, 100 success, 2100 idle")
    }

    @Test("B16 a press of another client while pending is busy: the guard is not the spinner")
    func whilePending() {
        let world = MachineWorld()
        world.action = .returns(after: 1000)
        world.press(by: .ann)
        world.advance(to: 120)
        #expect(world.button().phase == .pending)
        #expect(world.answer(world.press(by: .ben)) == "rejected busy r1")
    }

    @Test("B17 a hundred sockets, ten presses each: never two active, each answered")
    func hundredSockets() {
        var rig = MachineRig(buttons: ["b": ButtonTimes()])
        var answers = 0
        var runs = 0
        for round in 0..<10 {
            for socket in 0..<100 {
                let id = RequestID.integer(Int64(round * 100 + socket))
                let caller = Caller(connection: ConnectionID(UInt64(socket)), client: "s\(socket)", name: "s")
                let request = Request(id: id, button: "b", verb: .press(PressDetails()))
                var effects = rig.send(.request(request, from: caller, fresh: RunID("r\(round).\(socket)")))
                if case .persist(let record)? = effects.first {
                    runs += 1
                    effects = rig.send(.persisted(record, durable: true))
                }
                answers += effects.filter { if case .answer = $0 { true } else { false } }.count
            }
            for action in rig.actions.values { _ = rig.send(.actionEnded(action.record, .returned, random: 0.5)) }
            for record in rig.unstoredEnds { _ = rig.send(.endPersisted(record)) }
        }
        #expect(answers == 1000)
        #expect(runs == 10)
        #expect(rig.auditor.violations == [])
        #expect(rig.auditor.isBalanced)
    }

    @Test("B18 a double click on a 20 ms action: one run, none in the success hold")
    func doubleClick() {
        let world = MachineWorld()
        world.action = .returns(after: 20)
        world.press(by: .ann, .dom)
        world.advance(to: 120)
        #expect(world.button().phase == .success)
        #expect(world.answer(world.press(by: .ann, .dom)) == "rejected double_press after 280")
        world.advance(to: 60_000)
        #expect(world.called == ["r1"])
        #expect(world.timeline() == "0 pending, 20 success, 2020 idle")
    }

    @Test("The double-press guard is per connection and button, over after its time, and not for scripts")
    func doublePressScope() {
        let world = MachineWorld(buttons: ["a", "b"])
        world.action = .returns(after: 20)
        world.press("a", by: .ann, .dom)
        world.advance(to: 30)
        #expect(world.answer(world.press("b", by: .ann, .dom)) == "accepted r2")
        #expect(world.answer(world.press("a", by: .ann, .script)) == "accepted r3")
        world.advance(to: 60)
        #expect(world.answer(world.press("a", by: .ben, .dom)) == "accepted r4")
        world.advance(to: 399)
        #expect(world.answer(world.press("a", by: .ann, .dom)) == "rejected double_press after 1")
        world.advance(to: 400)
        #expect(world.answer(world.press("a", by: .ann, .dom)) == "accepted r5")
    }

    @Test("A refused click does not start the double-press time, a retry by a click does")
    func doublePressStart() {
        let world = MachineWorld()
        world.action = .fails(after: 20)
        world.press(by: .ben)
        #expect(world.answer(world.press(by: .ann, .dom)) == "rejected busy r1")
        world.advance(to: 100)
        #expect(world.answer(world.retry("r1", by: .ann, .dom)) == "accepted r2")
        world.advance(to: 200)
        #expect(world.answer(world.press(by: .ann, .dom)) == "rejected double_press after 300")
        #expect(world.answer(world.retry("r2", by: .ann, .dom)) == "rejected double_press after 300")
    }

    @Test("B19 a deliberate second press 600 ms later, in the success hold, starts a second run")
    func deliberateSecondPress() {
        let world = MachineWorld()
        world.action = .returns(after: 20)
        world.press(by: .ann, .dom)
        world.advance(to: 600)
        #expect(world.answer(world.press(by: .ann, .dom)) == "accepted r2")
        world.advance(to: 60_000)
        #expect(world.timeline() == "0 pending, 20 success, 600 pending, 620 success, 2620 idle")
    }

    @Test("A disabled button refuses, and its run goes on")
    func disabled() {
        let world = MachineWorld()
        world.press(by: .ann)
        world.setAvailability(.disabled(because: "Sold out"))
        #expect(world.answer(world.press(by: .ben)) == "rejected disabled")
        world.advance(to: 200)
        #expect(world.events == "0 r1 started, 100 r1 succeeded")
        world.setAvailability(.enabled)
        #expect(world.answer(world.press(by: .ben)) == "accepted r2")
    }

    @Test("B50 the presser goes: its run goes on, and everybody sees the success")
    func presserGone() {
        // The machine has no event for a connection that goes: nothing that it could do depends on one.
        let world = MachineWorld()
        world.action = .returns(after: 1000)
        world.press(by: .ann)
        world.advance(to: 60_000)
        #expect(world.timeline() == "0 pending, 150 spinning, 1000 success, 3000 idle")
    }

    @Test("B48 who joins at 100 ms sees pending, at 2 s already spinning; B49 in the hold the rest of it")
    func joiners() {
        let world = MachineWorld()
        world.action = .returns(after: 3000)
        world.press()
        world.advance(to: 100)
        #expect(world.button().phase == .pending)
        #expect(world.button().runs.first?.elapsed(at: .ms(100)) == .milliseconds(100))
        world.advance(to: 2000)
        #expect(world.button().phase == .spinning)
        world.advance(to: 4200)
        #expect(world.button().phase == .success)
        #expect(world.button().shownUntil == .ms(5000))
        world.advance(to: 5000)
        #expect(world.button().phase == .idle)
    }

    @Test("B8 a success that is held forever is there for late joiners, until the next accepted press")
    func heldForever() {
        let world = MachineWorld { $0.successHold = .forever }
        world.press()
        world.advance(to: 1_000_000)
        #expect(world.button().phase == .success)
        world.press()
        #expect(world.button().phase == .pending)
    }
}
