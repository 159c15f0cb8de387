import FoundationEssentials

extension ActionResult {
    /// Calls an action and says how it came back.
    init(of action: Action, _ run: Run) async {
        do {
            try await action(run)
            self = .returned
        } catch is CancellationError {
            self = .cancelled
        } catch {
            self = .threw(RunError(thrown: error))
        }
    }
}

extension RunError {
    /// An action's own words if it has any for people, else its type's name: never a dump of its values.
    init(thrown error: any Error) {
        if let error = error as? RunError {
            self = error
        } else if let text = (error as? any LocalizedError)?.errorDescription, !text.isEmpty {
            self.init(code: "thrown", message: text)
        } else {
            self.init(code: "thrown", message: "\(type(of: error))")
        }
    }
}
