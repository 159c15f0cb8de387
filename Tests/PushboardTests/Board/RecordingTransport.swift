import Synchronization

@testable import Pushboard

/// Writes down what a board says: `1 ack accepted r1`, `run r1 started → 1`, `b pending`.
final class RecordingTransport: BoardTransport {
    private struct State {
        var lines: [String] = []
        var frames: [JSONValue] = []
        var open: Set<ConnectionID>?
        var watchers: Set<ConnectionID> = []
    }
    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }
    /// Every message in its order.
    var frames: [JSONValue] { state.withLock { $0.frames } }
    /// To whom the newest run event went.
    var watchers: Set<ConnectionID> { state.withLock { $0.watchers } }

    /// Who is connected; everybody unless this is called.
    func setOpen(_ connections: Set<ConnectionID>) { state.withLock { $0.open = connections } }

    func isOpen(_ connection: ConnectionID) -> Bool { state.withLock { $0.open?.contains(connection) ?? true } }

    func deliver(_ frame: [UInt8], to connection: ConnectionID) {
        note(frame) { message in
            let words = ["result", "reason", "run", "outcome"].compactMap { message[$0]?.string }
            let durable = message["durable"].map { $0 == .bool(true) ? ["durable"] : ["volatile"] } ?? []
            return ["\(connection.rawValue) ack " + (words + durable).joined(separator: " ")]
        }
    }

    func deliver(runEvent frame: [UInt8], number: Int, watchers: Set<ConnectionID>) {
        state.withLock { $0.watchers = watchers }
        note(frame) { message in
            precondition(message["event"]?.int == number)
            let words = ["run", "change", "outcome"].compactMap { message[$0]?.string }
            let error = (message["error"]?["code"]?.string).map { [$0] } ?? []
            let to = watchers.map(\.rawValue).sorted().map(String.init).joined(separator: ",")
            return ["run " + (words + error).joined(separator: " ") + " → \(to)"]
        }
    }

    func note(state frame: [UInt8]) {
        note(frame) { message in
            (message["buttons"]?.elements ?? []).map { button in
                let progress = (button["run"]?["completed"]?.int).map { " \($0)" } ?? ""
                return "\(button["id"]?.string ?? "") \(button["phase"]?.string ?? "")\(progress)"
            }
        }
    }

    private func note(_ frame: [UInt8], _ lines: (JSONValue) -> [String]) {
        guard let message = try? JSONValue(frame) else { preconditionFailure("the board said what is no JSON") }
        let lines = lines(message)
        state.withLock { state in
            state.frames.append(message)
            state.lines += lines
        }
    }
}
