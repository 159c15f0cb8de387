/// What a button does when it is pressed: it runs on the cooperative pool, may throw, and ends the run by returning.
public typealias Action = @Sendable (Run) async throws -> Void

/// A button whose action takes its time: SwiftUI's `AsyncButton` of the articles, on a server.
///
/// ```swift
/// AsyncButton("Place order", id: "order", style: .prominent) { run in
///     for step in 1...4 { try await submit(step); run.progress(completed: step, total: 4) }
/// }
/// ```
public struct AsyncButton: Sendable {
    /// What the button says; also its accessible name.
    public let label: String
    /// The id that was asked for; without one it is derived from the label.
    public let id: String?
    public var look = ButtonLook()
    public var times = ButtonTimes()
    /// Whether anybody may cancel a run of it.
    public var isCancellable = true
    public var availability = Availability.enabled
    let hidesLabel: Bool
    let action: Action
    let place: SourcePlace

    /// A button with a text and perhaps an icon.
    public init(
        _ label: String, id: String? = nil, icon: Icon? = nil, role: ButtonRole = .normal,
        style: ButtonStyle = .bordered, file: StaticString = #fileID, line: UInt = #line,
        action: @escaping Action
    ) {
        self.init(
            label: label, hidesLabel: false, id: id, icon: icon, role: role, style: style,
            place: SourcePlace(file: file, line: line), action: action)
    }

    /// A button with a text and perhaps an icon, whose action does not ask about its run.
    public init(
        _ label: String, id: String? = nil, icon: Icon? = nil, role: ButtonRole = .normal,
        style: ButtonStyle = .bordered, file: StaticString = #fileID, line: UInt = #line,
        action: @escaping @Sendable () async throws -> Void
    ) {
        self.init(label, id: id, icon: icon, role: role, style: style, file: file, line: line) { (_: Run) in
            try await action()
        }
    }

    /// A button that shows its icon alone. The label is its name for those who do not see it.
    public init(
        icon: Icon, label: String, id: String? = nil, role: ButtonRole = .normal,
        style: ButtonStyle = .bordered, file: StaticString = #fileID, line: UInt = #line,
        action: @escaping Action
    ) {
        self.init(
            label: label, hidesLabel: true, id: id, icon: icon, role: role, style: style,
            place: SourcePlace(file: file, line: line), action: action)
    }

    /// A button that shows its icon alone, whose action does not ask about its run.
    public init(
        icon: Icon, label: String, id: String? = nil, role: ButtonRole = .normal,
        style: ButtonStyle = .bordered, file: StaticString = #fileID, line: UInt = #line,
        action: @escaping @Sendable () async throws -> Void
    ) {
        self.init(icon: icon, label: label, id: id, role: role, style: style, file: file, line: line) { (_: Run) in
            try await action()
        }
    }

    private init(
        label: String, hidesLabel: Bool, id: String?, icon: Icon?, role: ButtonRole, style: ButtonStyle,
        place: SourcePlace, action: @escaping Action
    ) {
        self.label = label
        self.hidesLabel = hidesLabel
        self.id = id
        self.action = action
        self.place = place
        look.icon = icon
        look.role = role
        look.style = style
    }
}

/// Where in the source something was written, for messages about it.
struct SourcePlace: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: UInt
    var description: String { "\(file):\(line)" }
}

extension AsyncButton {
    /// Wide buttons, colours and the like; see `ButtonLook`.
    public func look(_ change: (inout ButtonLook) -> Void) -> AsyncButton {
        var copy = self
        change(&copy.look)
        return copy
    }

    /// Delays, holds and limits; see `ButtonTimes`.
    public func times(_ change: (inout ButtonTimes) -> Void) -> AsyncButton {
        var copy = self
        change(&copy.times)
        return copy
    }

    /// Asks the person before the page presses.
    public func confirm(_ question: String) -> AsyncButton { look { $0.confirm = question } }

    public func description(_ text: String) -> AsyncButton { look { $0.description = text } }

    public func controlSize(_ size: ControlSize) -> AsyncButton { look { $0.size = size } }

    public func width(_ width: ControlWidth) -> AsyncButton { look { $0.width = width } }

    public func tint(_ colour: String) -> AsyncButton { look { $0.tint = colour } }

    public func spinnerDelay(_ delay: Span) -> AsyncButton { times { $0.spinnerDelay = delay } }

    public func successHold(_ hold: Span) -> AsyncButton { times { $0.successHold = hold } }

    /// - Parameter limit: how long one attempt may take.
    public func timeout(_ limit: Duration) -> AsyncButton { times { $0.timeout = limit } }

    public func cancellable(_ isCancellable: Bool) -> AsyncButton {
        var copy = self
        copy.isCancellable = isCancellable
        return copy
    }

    /// Shows the button but refuses presses, for a reason that everybody reads.
    public func disabled(because reason: String) -> AsyncButton {
        var copy = self
        copy.availability = .disabled(because: reason)
        return copy
    }
}
