/// The `id` of a client's message: an echo, nothing more.
package enum RequestID: Hashable, Sendable {
    case integer(Int64)
    case text(String)
}

/// A client's wish about one button.
package struct Request: Hashable, Sendable {
    package enum Verb: Hashable, Sendable {
        case press(PressDetails)
        case retry(RunID, PressDetails)
        case cancel(RunID?)
        case dismiss(RunID)
        case lookup(key: String)
    }
    package let id: RequestID?
    /// As the client wrote it; it may name no button at all.
    package let button: String
    package let verb: Verb

    package init(id: RequestID?, button: String, verb: Verb) {
        self.id = id
        self.button = button
        self.verb = verb
    }
}

package struct PressDetails: Hashable, Sendable {
    package var key: String?
    package var origin: Origin
    /// Whether the presser wants the run's events.
    package var watch: Bool
    package var arguments: Arguments

    package init(key: String? = nil, origin: Origin = .script, watch: Bool = true, arguments: Arguments = Arguments()) {
        self.key = key
        self.origin = origin
        self.watch = watch
        self.arguments = arguments
    }
}

/// The arguments of a press. No button declares any yet, so every name is one too many.
package struct Arguments: Hashable, Sendable {
    package let names: [String]
    /// Equal arguments have equal fingerprints.
    package let fingerprint: String

    package init(names: [String] = [], fingerprint: String = "") {
        self.names = names
        self.fingerprint = fingerprint
    }

    var fieldErrors: [FieldError] {
        names.map { FieldError(name: $0, code: "unknown", message: "The button has no argument of this name.") }
    }
}

/// The one answer to a request.
package struct Answer: Hashable, Sendable {
    package enum Result: String, Hashable, Sendable, Codable { case accepted, duplicate, rejected, ok }

    package let id: RequestID?
    package let result: Result
    package var refusal: Refusal?
    package var run: RunID?
    package var outcome: Outcome?
    /// Whether the run would survive the server; only of accepted runs.
    package var durable: Bool?
    /// The button whose state goes along, for display only.
    package var button: ItemID?
    /// Whether a subscription starts later than was asked for.
    package var gap = false

    package init(_ id: RequestID?, _ result: Result) {
        self.id = id
        self.result = result
    }

    package init(_ id: RequestID?, refused refusal: Refusal, button: ItemID? = nil) {
        self.init(id, .rejected)
        self.refusal = refusal
        self.run = refusal.run
        self.button = button
    }
}
