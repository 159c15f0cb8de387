/// A board as it was written: its buttons by id, their order, and what is wrong with them.
struct BoardPlan: Sendable {
    struct PlannedSection: Encodable, Sendable {
        let title: String
        let items: [String]
    }

    private(set) var buttons: [ItemID: AsyncButton] = [:]
    private(set) var order: [ItemID] = []
    private(set) var sections: [PlannedSection] = []
    private(set) var problems: [String] = []

    init(_ sections: [Section]) {
        for section in sections {
            let ids = section.buttons.compactMap { add($0) }
            self.sections.append(PlannedSection(title: section.title, items: ids.map(\.rawValue)))
        }
    }

    private mutating func add(_ button: AsyncButton) -> ItemID? {
        guard let id = id(of: button) else { return nil }
        check(button)
        if let other = buttons[id] {
            problems.append(
                "\(button.place): the id `\(id)` is taken by the button at \(other.place); give one of them another `id:`."
            )
            return nil
        }
        buttons[id] = button
        order.append(id)
        return id
    }

    private mutating func id(of button: AsyncButton) -> ItemID? {
        if let id = button.id.map({ ItemID($0) }) ?? ItemID(derivedFrom: button.label) { return id }
        problems.append(
            button.id.map {
                "\(button.place): the id `\($0)` is not of the form [a-z0-9][a-z0-9._-]{0,63}; write it so."
            } ?? "\(button.place): no id can be derived from the label `\(button.label)`; give the button an `id:`.")
        return nil
    }

    private mutating func check(_ button: AsyncButton) {
        checkTexts(button)
        if !button.label.contains(where: { !$0.isWhitespace }) {
            problems.append("\(button.place): the label is empty; a screen reader would have nothing to say.")
        }
        if case .duration(let hold) = button.times.failureHold, hold < .seconds(5) {
            problems.append("\(button.place): `failureHold` is under 5 s, too short to be read; use at least 5 s.")
        }
        if let timeout = button.times.timeout, timeout <= .zero {
            problems.append("\(button.place): `timeout` has to be longer than nothing.")
        }
        if let tint = button.look.tint, !Self.isColour(tint) {
            problems.append(
                "\(button.place): the tint `\(tint)` is neither a colour's name nor of the form #rrggbb.")
        }
    }

    /// An item has to fit into a message with all its texts.
    private mutating func checkTexts(_ button: AsyncButton) {
        let look = button.look
        let texts = [
            ("label", button.label), ("busyLabel", look.busyLabel), ("description", look.description),
            ("confirm", look.confirm), ("icon", look.icon?.name),
        ]
        for case (let name, let text?) in texts where text.utf8.count > 1024 {
            problems.append("\(button.place): `\(name)` has more than 1024 bytes; shorten it.")
        }
    }

    private static func isColour(_ text: String) -> Bool {
        if text.hasPrefix("#") {
            return text.utf8.count == 7 && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
        }
        return !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}
