import Testing

@testable import Pushboard

@Suite("Event log")
struct EventLogTests {
    private func event(_ number: Int) -> RunEvent {
        let run = RunID("r\(number)")
        let record = RunRecord(
            run: run, button: ItemID("b")!, root: run, attempt: 1, by: "n", client: "c", key: nil, principal: "")
        return RunEvent(record: record, change: .started, at: 0)
    }

    private func log(capacity: Int, events: Int) -> EventLog {
        var log = EventLog(capacity: capacity)
        for number in 1...events { _ = log.append(event(number)) }
        return log
    }

    @Test("Events are numbered from 1 and found after the number before")
    func numbers() throws {
        var log = EventLog(capacity: 10)
        #expect(log.head == 0 && log.start == 0 && log[after: 0] == nil)
        let frame = log.append(event(1))
        #expect(try JSONValue(frame)["event"] == .integer(1))
        #expect(log.head == 1 && log[after: 0] == frame && log[after: 1] == nil)
    }

    @Test("The oldest go: at least the capacity is kept, and never half as much again")
    func capacity() throws {
        for events in 1...500 {
            let log = log(capacity: 100, events: events)
            #expect(log.head == events)
            let kept = log.head - log.start
            #expect(kept >= min(events, 100) && kept < 125)
            let oldest = try JSONValue(try #require(log[after: log.start]))
            #expect(oldest["event"]?.int == log.start + 1 && oldest["run"] == .text("r\(log.start + 1)"))
            #expect(try JSONValue(try #require(log[after: events - 1]))["event"]?.int == events)
        }
    }

    @Test("A capacity of 0 keeps all")
    func unlimited() {
        let log = log(capacity: 0, events: 1_000)
        #expect(log.start == 0 && log[after: 0] != nil)
    }

    @Test("What is not kept, or not there, is not reached, however far away it is")
    func reach() {
        let log = log(capacity: 10, events: 100)
        #expect(log.start > 0)
        #expect(log.reaches(after: log.start) && log.reaches(after: 100))
        for number in [log.start - 1, 0, -1, .min, 101, .max - 1, .max] {
            #expect(!log.reaches(after: number))
            #expect(log[after: number] == nil)
        }
    }
}
