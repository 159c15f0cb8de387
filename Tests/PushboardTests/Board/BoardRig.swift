import Synchronization
import TestSupport

@testable import Pushboard

/// A board that runs turn by turn on the test's thread, with everything written down that it says.
final class BoardRig {
    let clock = ManualClock()
    let host = ManualHost()
    let board: Board
    let transport = RecordingTransport()

    init(
        store: any RunStore = MemoryRunStore(), limits: Limits = Limits(), attached: Bool = true,
        @BoardBuilder content: @Sendable () -> [Section]
    ) {
        let serial = Mutex(-1)
        board = Board(
            "T", limits: limits, store: store, clock: clock,
            freshID: {
                serial.withLock {
                    $0 += 1
                    return $0 == 0 ? "epoch" : "r\($0)"
                }
            }, content: content)
        if attached { attach() }
    }

    func attach() {
        board.executor.attach(host)
        let transport = transport
        turn { $0.attach(transport) }
    }

    /// What the board has said so far, a line each.
    var log: [String] { transport.lines }

    /// One turn as the loop makes it: input, flush; the jobs that waited, each flushed; due timers, flush.
    @discardableResult
    func turn<Value: Sendable>(_ input: (isolated Board) -> Value) -> Value {
        host.asHost {
            let value = board.assumeIsolated(input)
            flush()
            for _ in 0..<host.waitingJobs where host.runJob(on: board.executor) { flush() }
            board.assumeIsolated { board in
                if let due = board.nextDeadline, due <= board.now { board.runDueTimers() }
            }
            flush()
            return value
        }
    }

    private func flush() {
        guard let frame = board.assumeIsolated({ $0.flush() }) else { return }
        transport.note(state: frame.bytes)
    }

    func send(_ verb: Request.Verb, to button: String = "b", by client: Client = .ann) {
        turn { $0.receive(Request(id: .integer(1), button: button, verb: verb), from: client.caller) }
    }

    func press(_ button: String = "b", by client: Client = .ann, key: String? = nil, watch: Bool = true) {
        send(.press(PressDetails(key: key, watch: watch)), to: button, by: client)
    }

    /// Lets time pass, and then timers fire.
    func advance(_ milliseconds: Int) {
        clock.advance(byMilliseconds: milliseconds)
        turn { _ in }
    }

    /// Makes turns until the condition holds. False: it never did.
    func turns(until condition: () -> Bool) async -> Bool {
        await eventually {
            turn { _ in }
            return condition()
        }
    }

    /// Makes turns until the log ends with these lines, and says what it ended with.
    func lastLines(_ lines: [String]) async -> [String] {
        _ = await turns { log.suffix(lines.count) == lines }
        return Array(log.suffix(lines.count))
    }
}
