import Testing

@testable import Pushboard

@Suite("Machine: rate limits and presses that can be taken back")
struct MachineLimitTests {
    private func limited(store: MachineWorld.Store = .memory, _ policy: Policy = .reject) -> MachineWorld {
        let world = MachineWorld(store: store, policy) { $0.rateLimit = RateLimit(2, per: .seconds(60)) }
        world.action = .returns(after: 50)
        return world
    }

    @Test("D11 two a minute, five presses from three clients: two runs, three refusals, the same countdown for all")
    func rateLimit() {
        let world = limited()
        world.press(by: .ann)
        world.advance(to: 100)
        world.press(by: .ben)
        world.advance(to: 200)
        let refused = Client.allCases.map { world.answer(world.press(by: $0)) }
        #expect(refused == Array(repeating: "rejected rate_limited after 59800", count: 3))
        #expect(world.button().shownRateLimit == .ms(60_000))
        let rev = world.button().rev
        world.advance(to: 59_999)
        #expect(world.answer(world.press(by: .cat)) == "rejected rate_limited after 1")
        world.advance(to: 60_000)
        #expect(world.button().rev > rev && world.button().shownRateLimit == nil)
        #expect(world.answer(world.press(by: .cat)) == "accepted r3")
        #expect(world.answer(world.press(by: .cat)) == "rejected rate_limited after 100", "the window slides")
        #expect(world.called == ["r1", "r2", "r3"])
    }

    @Test("Refused presses do not count, retries do")
    func whatCounts() {
        let world = limited()
        world.action = .fails(after: 50)
        world.press()
        #expect(world.answer(world.press()) == "rejected busy r1")
        world.advance(to: 1000)
        #expect(world.answer(world.retry("r1")) == "accepted r2")
        world.advance(to: 2000)
        #expect(world.answer(world.retry("r2")) == "rejected rate_limited after 58000")
    }

    @Test("The countdown is shown when the press that began it is stored")
    func slowStore() {
        let world = limited(store: .slow(500), .queue())
        world.press()
        world.press()
        let rev = world.button().rev
        #expect(world.answer(world.press()) == "rejected rate_limited after 60000")
        world.advance(to: 499)
        #expect(world.button().shownRateLimit == nil && world.button().rev == rev)
        world.advance(to: 500)
        #expect(world.button().shownRateLimit == .ms(60_000) && world.button().rev > rev)
    }

    @Test("The countdown is shown, even if that press was cancelled before it was stored")
    func cancelledPress() {
        let world = limited(store: .slow(500), .queue())
        world.press()
        world.press()
        world.cancel("r2")
        world.advance(to: 500)
        #expect(world.button().shownRateLimit == .ms(60_000))
    }

    private func undoing(_ policy: Policy = .reject, milliseconds: Int = 5000) -> MachineWorld {
        MachineWorld(policy) { $0.times.undo = .milliseconds(milliseconds) }
    }

    @Test("A press that can be taken back waits, seen by all, then starts")
    func undo() {
        let world = undoing()
        #expect(world.answer(world.press(by: .ann)) == "held r1 at 1")
        #expect(world.answer(world.press(by: .ben)) == "rejected busy r1")
        #expect(world.button().runs.first?.state == .held(.countdown(until: .ms(5000))))
        world.advance(to: 60_000)
        #expect(world.events == "0 r1 held, 5000 r1 started, 5100 r1 succeeded")
        #expect(world.timeline() == "0 held, 5000 pending, 5100 success, 7100 idle")
    }

    @Test("It is taken back: never started, nothing counted, the button can be pressed again")
    func takenBack() {
        let world = undoing()
        world.press(by: .ann)
        world.advance(to: 3000)
        #expect(world.answer(world.cancel(by: .ben)) == "ok")
        world.advance(to: 4000)
        #expect(world.timeline() == "0 held, 3000 idle" && world.called == [])
        #expect(world.events == "0 r1 held, 3000 r1 cancelled")
        #expect(world.answer(world.press()) == "held r2 at 1")
    }

    @Test("What is taken back has harmed nobody: others give way when the countdown is over", arguments: [true, false])
    func takenBackHarmsNobody(isTakenBack: Bool) {
        let world = undoing(.restart, milliseconds: 300)
        world.nextActions = [.stopping(1000)]
        world.press()
        world.advance(to: 400)
        world.press()
        world.advance(to: 500)
        if isTakenBack { world.cancel("r2") }
        world.advance(to: 60_000)
        #expect(world.events.contains("700 r1 cancelling") == !isTakenBack)
        #expect(world.called == (isTakenBack ? ["r1"] : ["r1", "r2"]))
    }

    @Test("The time in which it can be taken back is no part of the time limit")
    func timeLimit() {
        let world = MachineWorld(.reject) { ($0.times.undo, $0.times.timeout) = (.seconds(5), .milliseconds(500)) }
        world.action = .returns(after: 499)
        world.press()
        world.advance(to: 60_000)
        #expect(world.events.hasSuffix("5499 r1 succeeded"))
    }

    @Test("Between two runs of which the second can be taken back the button shows held")
    func heldBetween() {
        let world = undoing(.queue(), milliseconds: 300)
        world.press()
        world.advance(to: 250)
        world.press()
        world.advance(to: 60_000)
        #expect(world.timeline() == "0 held, 300 pending, 400 held, 550 pending, 650 success, 2650 idle")
    }

    @Test("A spinner that was shown stays for its time before the button shows held")
    func spinnerBeforeHeld() {
        let world = undoing(.queue(), milliseconds: 300)
        world.action = .returns(after: 200)
        world.press()
        world.advance(to: 499)
        world.press()
        world.advance(to: 499)
        world.cancel("r2")
        world.advance(to: 499)
        world.press()
        world.advance(to: 520)
        #expect(world.button().isSettling)
        world.advance(to: 60_000)
        #expect(
            world.timeline()
                == "0 held, 300 pending, 450 spinning, 500 settling, 750 held, 799 pending, 949 spinning, "
                + "999 settling, 1249 success, 3249 idle")
    }

    @Test("A failure that waits behind a countdown is shown when that is taken back, and not dismissed unseen")
    func hiddenOutcome() {
        let world = undoing(.queue(), milliseconds: 300)
        world.action = .fails(after: 100)
        world.press()
        world.advance(to: 350)
        world.press()
        world.advance(to: 450)
        #expect(world.button().phase == .held)
        #expect(world.answer(world.dismiss("r1")) == "rejected stale r1")
        world.cancel("r2")
        #expect(world.button().phase == .failure)
    }
}
