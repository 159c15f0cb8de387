/// The time from the first accepted run until none is left, settling included: what the spinner follows.
struct BusyPeriod: Hashable, Sendable {
    let start: Instant
    var spinnerShownAt: Instant?
    /// The newest failures whose root has not succeeded since, oldest first.
    private(set) var failures: [EndedRun] = []
    private(set) var success: EndedRun?

    init(start: Instant) { self.start = start }

    /// A period can go on for as long as somebody presses; more failures than this are not told apart.
    static let mostFailures = 32

    /// Whether any run of it ended in a way that is shown.
    var hasOutcome: Bool { success != nil || !failures.isEmpty }

    mutating func record(_ run: EndedRun) {
        switch run.end.outcome {
        case .succeeded:
            success = run
            failures.removeAll { $0.record.root == run.record.root }
        case .failed, .unknown:
            failures.append(run)
            if failures.count > Self.mostFailures { failures.removeFirst() }
        case .cancelled, .superseded:
            break
        }
    }

    /// What the button shows when the period is over.
    var verdict: EndedRun? { failures.last ?? success }
}
