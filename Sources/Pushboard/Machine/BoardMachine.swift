/// All buttons of a board, their keys and refusals: every request and every event passes through here.
///
/// A value. It reads no clock, calls nobody and draws no lots: what it needs comes with the event, what is to be done
/// comes out as effects, in order.
struct BoardMachine: Hashable, Sendable {
    /// Buttons that an event has touched since the owner last took them.
    var touched: Set<ItemID> = []
    var buttons: [ItemID: ButtonMachine]
    var keys: KeyLedger
    var refusals: RefusalMemory
    var isShuttingDown = false
    let mostWaiters: Int
    /// Who waits for a run to be stored: its presser first, then those who sent the same key again.
    var waiters: [RunID: [Waiter]] = [:]

    /// How many presses there have been, to know their order.
    var arrivals = 0
    /// The buttons of each group, in the order of their ids.
    let groups: [String: [ItemID]]

    struct Waiter: Hashable, Sendable {
        let id: RequestID?
        let connection: ConnectionID
        let watch: Bool
        let result: Answer.Result
    }

    init(buttons: [ItemID: ButtonMachine], limits: Limits) {
        self.buttons = buttons
        keys = KeyLedger(capacity: limits.keys)
        refusals = RefusalMemory(perButton: limits.refusalsPerButton)
        mostWaiters = limits.waitersPerRun
        groups = Dictionary(grouping: buttons.keys.sorted()) { buttons[$0]?.rules.group ?? "" }.filter { $0.key != "" }
    }

    // MARK: Events

    enum Event: Hashable, Sendable {
        /// `fresh` is the id of the run that it may start.
        case request(Request, from: Caller, fresh: RunID)
        case persisted(RunRecord, durable: Bool)
        /// `random`: 0…1.
        case actionEnded(RunRecord, ActionResult, random: Double)
        case endPersisted(RunRecord)
        case reported(RunRecord, RunReport)
        case setAvailability(ItemID, Availability)
        case timersDue(ItemID)
        /// Refuse presses and stop all runs; the second time, give up on those that have not stopped.
        case shutDown
    }

    enum Effect: Hashable, Sendable {
        case answer(Answer, to: ConnectionID)
        /// Send the events of this run to this connection from now on.
        case watch(RunID, by: ConnectionID)
        case persist(RunRecord)
        case persistEnd(RunRecord, RunEnd)
        case start(RunRecord)
        case interrupt(RunID)
        case report(RunEvent)
    }

    mutating func handle(_ event: Event, at moment: Moment) -> [Effect] {
        let effects = dispatch(event, at: moment)
        return effects + settleGroups(at: moment)
    }

    private mutating func dispatch(_ event: Event, at moment: Moment) -> [Effect] {
        switch event {
        case .request(let request, let caller, let fresh): answer(request, from: caller, fresh: fresh, at: moment)
        case .persisted(let record, let durable): persisted(record, durable: durable, at: moment)
        case .actionEnded(let record, let result, let random):
            actionEnded(record, result, random: random, at: moment)
        case .endPersisted(let record): endPersisted(record, at: moment)
        case .reported(let record, let report): reported(record, report, at: moment.instant)
        case .setAvailability(let button, let availability): setAvailability(button, availability)
        case .timersDue(let button): advance(button, at: moment)
        case .shutDown: shutDown(at: moment)
        }
    }

    mutating func takeTouched() -> Set<ItemID> {
        defer { touched = [] }
        return touched
    }

    /// Whether no run is left whose end somebody could still see.
    var isQuiet: Bool { waiters.isEmpty && buttons.values.allSatisfy { $0.runs.isEmpty } }

    func known(_ button: ItemID?) -> ItemID? {
        button.flatMap { buttons[$0] == nil ? nil : $0 }
    }

    /// The only way to change a button, so that none changes unnoticed.
    mutating func update<Result>(_ button: ItemID, _ change: (inout ButtonMachine) -> Result) -> Result {
        guard buttons[button] != nil else {
            preconditionFailure("An event names the button \(button), which is not on the board.")
        }
        touched.insert(button)
        return change(&buttons[button]!)
    }
}
