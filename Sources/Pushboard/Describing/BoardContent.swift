/// A group of buttons under a title.
public struct Section: Sendable {
    public let title: String
    public let buttons: [AsyncButton]

    public init(_ title: String = "", @SectionBuilder content: () -> [AsyncButton]) {
        self.title = title
        buttons = content()
    }
}

/// Lists the buttons of a section, with `if` and `for`.
@resultBuilder
public enum SectionBuilder {
    public static func buildExpression(_ button: AsyncButton) -> [AsyncButton] { [button] }
    public static func buildBlock(_ parts: [AsyncButton]...) -> [AsyncButton] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [AsyncButton]?) -> [AsyncButton] { part ?? [] }
    public static func buildEither(first: [AsyncButton]) -> [AsyncButton] { first }
    public static func buildEither(second: [AsyncButton]) -> [AsyncButton] { second }
    public static func buildArray(_ parts: [[AsyncButton]]) -> [AsyncButton] { parts.flatMap { $0 } }
}

/// Lists the sections of a board; buttons outside a section stand in one without a title.
@resultBuilder
public enum BoardBuilder {
    public static func buildExpression(_ section: Section) -> [Section] { [section] }
    public static func buildExpression(_ button: AsyncButton) -> [Section] { [Section { button }] }
    public static func buildBlock(_ parts: [Section]...) -> [Section] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [Section]?) -> [Section] { part ?? [] }
    public static func buildEither(first: [Section]) -> [Section] { first }
    public static func buildEither(second: [Section]) -> [Section] { second }
    public static func buildArray(_ parts: [[Section]]) -> [Section] { parts.flatMap { $0 } }
    /// Neighbouring buttons without a section stand together.
    public static func buildFinalResult(_ sections: [Section]) -> [Section] {
        sections.reduce(into: []) { result, section in
            if section.title.isEmpty, let previous = result.last, previous.title.isEmpty {
                result[result.count - 1] = Section { for button in previous.buttons + section.buttons { button } }
            } else {
                result.append(section)
            }
        }
    }
}

/// A board cannot be served as it was written.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line for each problem: where it is and what to do.
    public let problems: [String]
    public var description: String { problems.joined(separator: "\n") }
}
