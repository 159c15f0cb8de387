/// What is to be done about a run after an event.
enum RunStep: Hashable {
    /// Call its action. It has been told to nobody yet.
    case start(RunRecord)
    /// It waits, `position` of those that do; 1 = next.
    case hold(RunRecord, position: Int)
    /// Tell its action to stop.
    case interrupt(RunRecord)
    /// Tell that it will be tried again; nothing is called yet.
    case retryLater(RunRecord, RunError)
    /// Store its end, then come back with `endPersisted`.
    case persistEnd(RunRecord, RunEnd)
}
