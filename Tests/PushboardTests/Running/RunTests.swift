import Synchronization
import TestSupport
import Testing

@testable import Pushboard

@Suite("Run handle")
struct RunTests {
    /// Receives what a run delivers, when the test lets it.
    final class Receiver: Sendable {
        private let arrived = Mutex<[Run]>([])
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

        var deliveries: Int { waiting.withLock { $0.count } }

        func receive(_ run: Run) async {
            await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
            arrived.withLock { $0.append(run) }
        }

        func letIn() { for continuation in waiting.withLock({ exchange(&$0, with: []) }) { continuation.resume() } }

        private func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
            defer { value = new }
            return value
        }
    }

    private let receiver = Receiver()

    private func run() -> Run {
        let id = RunID("r")
        let record = RunRecord(
            run: id, button: ItemID("b")!, root: id, attempt: 3, by: "n", client: "c", key: nil, principal: "")
        return Run(record) { [receiver] in await receiver.receive($0) }
    }

    @Test("It knows its id and attempt")
    func identity() {
        #expect(run().id == RunID("r") && run().attempt == 3)
    }

    @Test("However much it says, one delivery is under way, and takes the newest along")
    func mailbox() async {
        let run = run()
        for step in 0...1000 { run.progress(completed: step, total: 1000) }
        run.note("done")
        #expect(await eventually { receiver.deliveries == 1 })
        #expect(run.newest() == RunReport(progress: .steps(completed: 1000, total: 1000), note: "done"))
        run.note("more")
        #expect(await eventually { receiver.deliveries == 2 }, "what comes after a delivery needs another")
        #expect(run.newest().note == "more")
        receiver.letIn()
    }

    @Test("Its last word is delivered before its end if it was not yet, else nothing is")
    func finish() async {
        let run = run()
        await run.finishReporting()
        #expect(receiver.deliveries == 0)
        run.progress(1)
        #expect(await eventually { receiver.deliveries == 1 })
        let finished = Mutex(false)
        async let finish: Void = {
            await run.finishReporting()
            finished.withLock { $0 = true }
        }()
        #expect(await eventually { receiver.deliveries == 2 })
        #expect(!finished.withLock { $0 }, "it waits for the delivery")
        receiver.letIn()
        await finish
    }

    @Test(
        "B63 fractions are clamped, NaN is ignored",
        arguments: [
            (1.7, 1), (-0.2, 0), (0, 0), (1, 1), (0.4, 0.4), (.infinity, 1), (-.infinity, 0), (.nan, 0.5),
            (.signalingNaN, 0.5), (-0.0, 0),
        ] as [(Double, Double)])
    func fractions(given: Double, shown: Double) {
        let run = run()
        run.progress(0.5)
        run.progress(given)
        #expect(run.newest().progress == .fraction(shown))
        #expect(run.newest().progress?.fraction == shown)
    }

    @Test(
        "B63 steps are clamped, a total of 0 or less is indeterminate",
        arguments: [
            (1, 4, 1, 4, 0.25), (5, 4, 4, 4, 1), (-1, 4, 0, 4, 0), (0, 0, 0, 0, nil), (3, 0, 0, 0, nil),
            (3, -5, 0, 0, nil), (.max, .max, .max, .max, 1), (.min, .min, 0, 0, nil),
        ] as [(Int, Int, Int, Int, Double?)])
    func steps(done: Int, all: Int, shownDone: Int, shownAll: Int, fraction: Double?) {
        let run = run()
        run.progress(completed: done, total: all)
        #expect(run.newest().progress == .steps(completed: shownDone, total: shownAll))
        #expect(run.newest().progress?.fraction == fraction)
    }

    @Test("Progress that is not known any more is taken back; the note stays")
    func unknown() {
        let run = run()
        run.note("n")
        run.progress(0.5)
        run.progress(nil)
        #expect(run.newest() == RunReport(progress: nil, note: "n"))
    }

    @Test("A note of any length is capped at 1 KiB of whole characters")
    func note() {
        let run = run()
        run.note(String(repeating: "😀", count: 100_000))
        let note = run.newest().note ?? ""
        #expect(note.utf8.count <= 1024 && note.utf8.count > 1015 && note.hasSuffix("😀…"))
        run.note(String(repeating: "x", count: 1024))
        #expect(run.newest().note == String(repeating: "x", count: 1024))
    }
}
