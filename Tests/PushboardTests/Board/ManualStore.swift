import Pushboard
import Synchronization

/// A store that answers when the test says so.
final class ManualStore: RunStore {
    let isDurable = true
    private let accepts = Mutex<[@Sendable (Bool) -> Void]>([])
    private let ends = Mutex<[@Sendable () -> Void]>([])

    func accept(_ run: RunRecord, then: @escaping @Sendable (_ durable: Bool) -> Void) {
        accepts.withLock { $0.append(then) }
    }

    func end(_ run: RunRecord, _ end: RunEnd, then: @escaping @Sendable () -> Void) {
        ends.withLock { $0.append(then) }
    }

    var unansweredRuns: Int { accepts.withLock { $0.count } }
    var unansweredEnds: Int { ends.withLock { $0.count } }

    func answerRun(durable: Bool) { accepts.withLock { $0.removeFirst() }(durable) }
    func answerEnd() { ends.withLock { $0.removeFirst() }() }
}
