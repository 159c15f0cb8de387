/// What a button does, apart from how it looks.
struct ButtonRules: Hashable, Sendable {
    var times = ButtonTimes()
    var isCancellable = true
    var policy = Policy.reject
    var rateLimit: RateLimit?
    var retry = AutomaticRetry()
    /// Buttons of one group: at most one of them is busy.
    var group: String?
}
