/// Something that happened to a run: told to its presser and to everybody who subscribed to runs.
package struct RunEvent: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        case started, cancelling
        case ended(RunEnd, duration: Duration)
    }
    package let record: RunRecord
    package let change: Change
    /// Wall clock, milliseconds since 1970.
    package let at: Int64
}
