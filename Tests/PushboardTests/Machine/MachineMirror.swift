@testable import Pushboard

/// What one client holds of a board, fed in the order and with the gaps of the protocol's rule 2.
struct MachineMirror {
    private(set) var items: [ItemID: (rev: Int, display: Display)] = [:]
    private(set) var violation: String?
    /// Everything up to this number was received.
    private var sent = 0

    /// Receives the newest state of all that changed since the last time.
    mutating func catchUp(_ order: ChangeOrder, _ machine: BoardMachine) {
        for (seq, id) in order.items(after: sent) {
            let button = machine.buttons[id]!
            if seq <= sent { violation = "\(id) comes out of order" }
            if let held = items[id], button.rev <= held.rev { violation = "\(id) goes back to rev \(button.rev)" }
            items[id] = (button.rev, Display(button))
            sent = seq
        }
    }

    /// I7: the same as the board shows.
    func differs(from machine: BoardMachine) -> String? {
        for (id, button) in machine.buttons where items[id]?.display != Display(button) {
            return "I7: a client holds \(String(describing: items[id])) of \(id), which shows \(Display(button))"
        }
        return violation
    }
}
