/// How an action came back.
package enum ActionResult: Hashable, Sendable {
    case returned
    case threw(RunError)
    /// It threw `CancellationError`.
    case cancelled

    /// The end of a run that had not been told to stop.
    var endOfRunning: RunEnd {
        switch self {
        case .returned: RunEnd(.succeeded)
        case .threw(let error): RunEnd(.failed, error: error)
        case .cancelled: RunEnd(.cancelled)
        }
    }

    /// The end of a run that had been told to stop: a success is real and wins, anything else is the stop.
    func end(after cause: LiveRun.Cause, timeout: Duration?) -> RunEnd {
        switch (self, cause) {
        case (.returned, _): RunEnd(.succeeded, late: true)
        case (_, .timeout): .timedOut(after: timeout)
        case (_, .user), (_, .shutdown): RunEnd(.cancelled)
        }
    }
}

extension RunEnd {
    static func timedOut(after limit: Duration?) -> RunEnd {
        let seconds = (limit ?? .zero).milliseconds.secondsText
        let message = "It took longer than its time limit of \(seconds). Raise the button's `timeout` if it needs more."
        return RunEnd(.failed, error: RunError(code: "timeout", message: message))
    }

    /// The grace is over and the action has not come back: the run ends without it.
    static func givenUp(after cause: LiveRun.Cause, timeout: Duration?) -> RunEnd {
        switch cause {
        case .user:
            return RunEnd(.cancelled, orphaned: true)
        case .timeout:
            var end = timedOut(after: timeout)
            end.orphaned = true
            return end
        case .shutdown:
            return .interruptedByShutdown
        }
    }

    /// The server stops and the action has not come back: nobody will see how it ends.
    static let interruptedByShutdown = RunEnd(
        .unknown,
        error: RunError(code: "interrupted", message: "The server stopped before this run ended."), orphaned: true)
}

extension Int {
    /// Milliseconds as a person writes seconds: `20 s`, `0.5 s`.
    fileprivate var secondsText: String {
        let whole = self / 1000
        let rest = self % 1000
        guard rest > 0 else { return "\(whole) s" }
        var digits = String(1000 + rest).dropFirst()
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits) s"
    }
}
