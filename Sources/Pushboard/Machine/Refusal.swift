/// Why a request was not carried out: the wire's `reason`.
package enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
    case unknownButton = "unknown_button"
    case unknownRun = "unknown_run"
    case unknownKey = "unknown_key"
    case badArguments = "bad_arguments"
    case keyReused = "key_reused"
    case keySpaceFull = "key_space_full"
    case disabled
    case doublePress = "double_press"
    case rateLimited = "rate_limited"
    case orphanRunning = "orphan_running"
    case busy
    case stale
    case notRetryable = "not_retryable"
    case notCancellable = "not_cancellable"
    case shuttingDown = "shutting_down"
}

/// A refusal with what the caller needs to understand it.
package struct Refusal: Error, Hashable {
    package let reason: Reason
    /// The run that stands in the way or that the answer speaks of.
    package var run: RunID?
    package var retryAfter: Duration?
    package var fields: [FieldError]

    package init(_ reason: Reason, run: RunID? = nil, retryAfter: Duration? = nil, fields: [FieldError] = []) {
        self.reason = reason
        self.run = run
        self.retryAfter = retryAfter
        self.fields = fields
    }
}

/// One argument that was not accepted.
package struct FieldError: Hashable, Sendable, Encodable {
    package let name: String
    package let code: String
    package let message: String
}

/// Who sent a press: a person's click on the page, or a program.
package enum Origin: String, Hashable, Sendable, Codable { case dom, script }

/// Whether a button may be pressed for reasons of the board's business, apart from being busy.
public enum Availability: Hashable, Sendable {
    case enabled
    case disabled(because: String)
}
