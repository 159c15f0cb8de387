@testable import Pushboard

/// What was seen, as text.
extension MachineWorld {
    /// The changes of what a button shows, with their times: `0 pending, 100 success`.
    func timeline(_ button: String = "b") -> String {
        (seen[button] ?? []).map { "\($0.time) \($0.text)" }.joined(separator: ", ")
    }

    /// The run events with their times: `0 r1 started, 100 r1 succeeded`.
    var events: String {
        runEvents.map { "\($0.time) \($0.event.record.run) \(text($0.event.change))" }.joined(separator: ", ")
    }

    private func text(_ change: RunEvent.Change) -> String {
        switch change {
        case .held: "held"
        case .started: "started"
        case .cancelling: "cancelling"
        case .retrying: "retrying"
        case .ended(let end, _):
            [end.outcome.rawValue, end.error?.code, end.late ? "late" : nil, end.orphaned ? "orphaned" : nil]
                .compactMap { $0 }.joined(separator: " ")
        }
    }

    /// An answer in one line: `accepted r1`, `rejected busy r1`; `-` if there is none yet.
    func answer(_ request: Int) -> String {
        guard let answer = answers[request]?.answer else { return "-" }
        let parts = [
            answer.result.rawValue, answer.refusal?.reason.rawValue, answer.run?.rawValue, answer.outcome?.rawValue,
            answer.durable == false ? "not durable" : nil,
            answer.position.map { "at \($0)" },
            answer.refusal?.retryAfter.map { "after \($0.milliseconds)" },
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    func answerTime(_ request: Int) -> Int? { answers[request]?.time }
    func fullAnswer(_ request: Int) -> Answer? { answers[request]?.answer }

    var records: [RunRecord] {
        runEvents.filter { $0.event.change == .started }.map(\.event.record)
    }

    func record(_ run: String) -> RunRecord? { records.first { $0.run.rawValue == run } }
}
