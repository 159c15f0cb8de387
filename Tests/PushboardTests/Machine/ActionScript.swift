@testable import Pushboard

/// What an action does when it is called.
struct ActionScript {
    /// When it comes back by itself; `nil` = never.
    var after: Int?
    var result = ActionResult.returned
    /// How long after being told to stop it throws `CancellationError`; `nil` = it does not listen.
    var stops: Int? = 0

    static func returns(after: Int?) -> ActionScript { ActionScript(after: after) }
    static func fails(after: Int, retryable: Bool = true) -> ActionScript {
        let error = RunError(code: "thrown", message: "No luck.", retryable: retryable)
        return ActionScript(after: after, result: .threw(error))
    }
    static func cancelsItself(after: Int) -> ActionScript { ActionScript(after: after, result: .cancelled) }
    /// Does not listen when it is told to stop.
    static func stubborn(after: Int?) -> ActionScript { ActionScript(after: after, stops: nil) }
    static func stopping(_ after: Int) -> ActionScript { ActionScript(after: nil, stops: after) }
}
