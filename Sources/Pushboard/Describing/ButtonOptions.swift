/// How long a button waits, shows and holds. The defaults are the design's.
public struct ButtonTimes: Hashable, Sendable {
    /// From the start of a busy period until the spinner. 0 = at once; `never` = no spinner, still busy.
    public var spinnerDelay: Span = .milliseconds(150)
    /// A spinner that was shown stays at least this long, so that it does not flicker. 0 = off.
    public var minimumSpinner: Duration = .milliseconds(300)
    /// How long a success is shown. 0 = straight to idle; `forever` = until the next press or dismiss.
    public var successHold: Span = .seconds(2)
    /// How long a failure is shown: `forever`, or at least 5 s so that it can be read (WCAG 2.2, 2.2.1).
    public var failureHold: Span = .forever
    /// How long a cancelled action may take to stop before it counts as stuck.
    public var cancelGrace: Duration = .seconds(5)
    /// How long one attempt may take; `nil` = no limit.
    public var timeout: Duration?
    /// A second click this soon after an accepted one is the same intent (per connection and button).
    public var doublePress: Duration = .milliseconds(400)

    public init() {}
}

/// Whether a press does something that one should think about first.
public enum ButtonRole: String, Hashable, Sendable, Codable { case normal, destructive }

public enum ControlSize: String, Hashable, Sendable, Codable { case small, regular, large }

public enum ControlWidth: String, Hashable, Sendable, Codable { case fit, fill }

public enum ButtonStyle: String, Hashable, Sendable, Codable { case bordered, prominent, plain }

/// Where the spinner stands: in the label's place, before or behind it, or nowhere.
public enum ProgressPlacement: String, Hashable, Sendable, Codable { case overlay, leading, trailing, none }

public enum SuccessStyle: String, Hashable, Sendable, Codable { case check, morph, flash }

public enum FailureStyle: String, Hashable, Sendable, Codable { case shake, flash, none }

/// How a button looks; nothing here changes what it does.
public struct ButtonLook: Hashable, Sendable {
    public var busyLabel: String?
    public var description: String?
    public var icon: Icon?
    public var role: ButtonRole = .normal
    public var size: ControlSize = .regular
    public var width: ControlWidth = .fit
    /// A named colour of the page or `#rrggbb`.
    public var tint: String?
    public var style: ButtonStyle = .bordered
    public var progressPlacement: ProgressPlacement = .leading
    public var successStyle: SuccessStyle = .check
    public var failureStyle: FailureStyle = .shake
    /// A question that the page asks before it presses.
    public var confirm: String?

    public init() {}
}

/// A picture of the page's own set by its name, or an emoji.
public struct Icon: Hashable, Sendable, ExpressibleByStringLiteral {
    public let name: String

    public init(_ name: String) { self.name = name }
    public init(stringLiteral value: String) { self.init(value) }
}

/// The pictures of the page's set that Swift code names most.
extension Icon {
    public static let thumbsUp: Icon = "thumbs-up"
    public static let paperPlane: Icon = "paper-plane"
    public static let star: Icon = "star"
    public static let rocket: Icon = "rocket"
    public static let refresh: Icon = "refresh"
    public static let trash: Icon = "trash"
}
