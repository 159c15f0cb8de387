/// How long a button's runs usually take, to tell one that takes too long.
struct RunLengths: Hashable, Sendable {
    /// A run that lasts longer is marked, never stopped: ten minutes, or three times the usual if that is more.
    private(set) var overdueAfter = Self.least
    /// Of the newest successes, oldest first.
    private var lengths: [Duration] = []

    private static let kept = 20
    private static let least = Duration.seconds(600)

    mutating func succeeded(after length: Duration) {
        lengths.append(length)
        if lengths.count > Self.kept { lengths.removeFirst() }
        overdueAfter = max(Self.least, lengths.sorted()[lengths.count / 2] * 3)
    }
}
