import Synchronization
import TestSupport
import Testing

@testable import Pushboard

@Suite("Board")
struct BoardTests {
    @Test("Acknowledgement, run event and state leave in the turn of the press, in this order")
    func order() async {
        let rig = BoardRig { AsyncButton("b") { try await Gate().pass() } }
        rig.press()
        #expect(rig.log == ["1 ack accepted r1 volatile", "run r1 started → 1", "b pending"])
    }

    @Test("The end of an action comes back as an event: run event, then state")
    func end() async {
        let gate = Gate()
        let rig = BoardRig { AsyncButton("b") { try await gate.pass() } }
        rig.press()
        gate.open()
        #expect(await rig.lastLines(["run r1 ended succeeded → 1", "b success"]).count == 2)
        #expect(rig.log.count == 5 && rig.log.suffix(2) == ["run r1 ended succeeded → 1", "b success"])
    }

    @Test("I12 nothing is acknowledged, started or shown before the store has answered", arguments: [true, false])
    func slowStore(durable: Bool) async {
        let store = ManualStore()
        let called = Mutex(0)
        let rig = BoardRig(store: store) { AsyncButton("b") { called.withLock { $0 += 1 } } }
        rig.press()
        rig.press(by: .ben)
        #expect(store.unansweredRuns == 1)
        #expect(rig.log == ["2 ack rejected busy"], "busy without the run, which nobody knows yet")
        #expect(rig.turn { board in board.changes(after: 1)?.bytes } == nil, "nothing is shown")
        #expect(called.withLock { $0 } == 0, "not started")
        // As a store does it: from a thread of its own.
        await Task.detached { store.answerRun(durable: durable) }.value
        _ = await rig.turns { rig.log.contains("run r1 started → 1") }
        let ack = "1 ack accepted r1 \(durable ? "durable" : "volatile")"
        #expect(rig.log == ["2 ack rejected busy", ack, "run r1 started → 1", "b pending"])
        _ = await rig.turns { store.unansweredEnds == 1 }
        #expect(called.withLock { $0 } == 1)
        #expect(rig.log.last == "b pending", "the end is not told before it is stored")
        store.answerEnd()
        _ = await rig.turns { rig.log.last == "b success" }
        #expect(rig.log.suffix(2) == ["run r1 ended succeeded → 1", "b success"])
    }

    @Test("A store that answers at once, inside the event that asked, is the same code path")
    func memoryStore() async {
        let rig = BoardRig { AsyncButton("b") { () in } }
        rig.press(key: "k")
        #expect(rig.log.first == "1 ack accepted r1 volatile")
        _ = await rig.turns { rig.log.last == "b success" }
        rig.press(by: .ben, key: "k")
        #expect(rig.log.last == "2 ack duplicate r1 succeeded")
    }

    @Test("A store that answers twice starts nothing twice")
    func storeTwice() async {
        struct Twice: RunStore {
            let isDurable = false
            func accept(_ run: RunRecord, then: @escaping @Sendable (Bool) -> Void) {
                then(true)
                then(true)
            }
            func end(_ run: RunRecord, _ end: RunEnd, then: @escaping @Sendable () -> Void) {
                then()
                then()
            }
        }
        let called = Mutex(0)
        let rig = BoardRig(store: Twice()) { AsyncButton("b") { called.withLock { $0 += 1 } } }
        rig.press()
        _ = await rig.turns { rig.log.last == "b success" }
        #expect(called.withLock { $0 } == 1 && rig.log.count == 5)
    }

    @Test("Timers: the spinner comes and goes when it is due")
    func timers() async {
        let gate = Gate()
        let rig = BoardRig { AsyncButton("b") { try await gate.pass() } }
        #expect(rig.turn { $0.nextDeadline } == nil)
        rig.press()
        #expect(rig.turn { $0.nextDeadline } == .ms(150))
        rig.advance(149)
        #expect(rig.log.last == "b pending")
        rig.advance(1)
        #expect(rig.log.last == "b spinning")
        gate.open()
        _ = await rig.turns { rig.log.contains("run r1 ended succeeded → 1") }
        #expect(rig.turn { $0.nextDeadline } == .ms(450))
        rig.advance(300)
        #expect(rig.log.last == "b success")
        rig.advance(2000)
        #expect(rig.log.last == "b idle")
        #expect(rig.turn { $0.nextDeadline } == nil)
    }

    @Test("Buttons do not hold each other up, and each tells its own state")
    func independent() async {
        let gate = Gate()
        let rig = BoardRig {
            AsyncButton("a") { try await gate.pass() }
            AsyncButton("b") { () in }
        }
        rig.press("a")
        rig.press("b")
        #expect(await rig.turns { rig.log.last == "b success" })
        #expect(rig.log.filter { $0.hasPrefix("a ") } == ["a pending"])
    }

    @Test("Jobs wait until the board is served; then they come in")
    func waiting() async {
        let rig = BoardRig(attached: false) { AsyncButton("b") { () in } }
        let board = rig.board
        // Runs here until it has to wait for the board.
        let task = Task.immediate { await board.setAvailability(.disabled(because: "r"), of: "b") }
        #expect(rig.host.waitingJobs == 0)
        rig.board.executor.attach(rig.host)
        #expect(rig.host.waitingJobs == 1)
        let transport = rig.transport
        rig.turn { $0.attach(transport) }
        #expect(rig.transport.frames.last?["buttons"]?.elements[0]["disabledReason"] == .text("r"))
        await task.value
    }

    @Test("A disabled button refuses; nobody is told twice of the same; an unknown button is nobody's")
    func availability() async {
        let rig = BoardRig { AsyncButton("b") { () in } }
        rig.turn { $0.setAvailability(.disabled(because: "r"), of: "b") }
        rig.turn { $0.setAvailability(.disabled(because: "r"), of: "b") }
        rig.turn { $0.setAvailability(.disabled(because: "r"), of: "nobody") }
        rig.turn { $0.setAvailability(.disabled(because: "r"), of: "NO BUTTON") }
        rig.press()
        rig.press("nobody")
        #expect(rig.log == ["b idle", "1 ack rejected disabled", "1 ack rejected unknown_button"])
    }

    @Test("The end of the server: runs are told to stop, and when they have, the board is quiet")
    func shutDown() async {
        let rig = BoardRig { AsyncButton("b") { try await Gate().pass() } }
        rig.press()
        rig.turn { $0.shutDown() }
        // The action may come back at any time from here on, so only the order is certain.
        #expect(rig.log.prefix(5).suffix(2) == ["run r1 cancelling → 1", "b pending"])
        rig.press(by: .ben)
        #expect(rig.log.contains("2 ack rejected shutting_down"))
        #expect(await rig.turns { rig.turn { $0.isQuiet } })
        #expect(rig.log.contains("run r1 ended cancelled → 1"))
    }

    @Test("A board is served once")
    func claim() {
        let rig = BoardRig { AsyncButton("b") { () in } }
        #expect(rig.board.executor.claim())
        #expect(!rig.board.executor.claim())
    }
}
