/// A length of time that may also never end: how long something is held, or after how long it shows.
public enum Span: Hashable, Sendable {
    case duration(Duration)
    /// Until something else happens: a hold that lasts, a spinner that never comes.
    case forever

    public static func milliseconds(_ count: Int) -> Span { .duration(.milliseconds(count)) }
    public static func seconds(_ count: Int) -> Span { .duration(.seconds(count)) }
    /// The same as `forever`, as one says it of a spinner.
    public static var never: Span { .forever }

    /// When it is over, if it ever is.
    func end(from start: Instant) -> Instant? {
        switch self {
        case .duration(let length): start.advanced(by: length)
        case .forever: nil
        }
    }
}
