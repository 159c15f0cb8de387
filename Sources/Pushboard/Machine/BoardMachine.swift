/// All buttons of a board, their keys and refusals: every request and every event passes through here.
///
/// A value. It reads no clock, calls nobody and draws no lots: what it needs comes with the event, what is to be done
/// comes out as effects, in order.
struct BoardMachine: Hashable, Sendable {
    /// Buttons that an event has touched since the owner last took them.
    private(set) var touched: Set<ItemID> = []
    private(set) var buttons: [ItemID: ButtonMachine]
    private(set) var keys: KeyLedger
    private(set) var refusals: RefusalMemory
    private(set) var isShuttingDown = false
    private let mostWaiters: Int
    /// Who waits for a run to be stored: its presser first, then those who sent the same key again.
    private(set) var waiters: [RunID: [Waiter]] = [:]

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
    }

    // MARK: Events

    enum Event: Hashable, Sendable {
        /// `fresh` is the id of the run that it may start.
        case request(Request, from: Caller, fresh: RunID)
        case persisted(RunRecord, durable: Bool)
        case actionEnded(RunRecord, ActionResult)
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
        switch event {
        case .request(let request, let caller, let fresh): answer(request, from: caller, fresh: fresh, at: moment)
        case .persisted(let record, let durable): persisted(record, durable: durable, at: moment)
        case .actionEnded(let record, let result): actionEnded(record, result)
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

    // MARK: Requests

    private mutating func answer(
        _ request: Request, from caller: Caller, fresh: RunID, at moment: Moment
    ) -> [Effect] {
        switch request.verb {
        case .press(let details):
            let intent = Intent(verb: .press, fingerprint: details.arguments.fingerprint)
            return press(request, details, intent, from: caller, fresh: fresh, at: moment)
        case .retry(let run, let details):
            let intent = Intent(verb: .retry(run), fingerprint: details.arguments.fingerprint)
            return press(request, details, intent, from: caller, fresh: fresh, at: moment)
        case .cancel(let run):
            return cancel(run, request, from: caller, at: moment)
        case .dismiss(let run):
            return [.answer(dismiss(run, request), to: caller.connection)]
        case .lookup(let key):
            return [lookUp(key, request, from: caller, at: moment)].compactMap { $0 }
        }
    }

    private mutating func press(
        _ request: Request, _ details: PressDetails, _ intent: Intent, from caller: Caller, fresh: RunID,
        at moment: Moment
    ) -> [Effect] {
        let button = ItemID(request.button)
        let scope = details.key.flatMap { key in
            button.map { KeyScope(principal: caller.principal, button: $0, key: key) }
        }
        if let scope, let effects = recall(scope, intent, request, details, from: caller, at: moment) { return effects }
        switch accept(intent, scope, button, details, from: caller, fresh: fresh, at: moment.instant) {
        case .success(let record):
            if let scope { keys.accept(scope, intent, run: record.run) }
            waiters[record.run] = [
                Waiter(id: request.id, connection: caller.connection, watch: details.watch, result: .accepted)
            ]
            return [.persist(record)]
        case .failure(let refusal):
            if let scope { remember(refusal, of: intent, under: scope, at: moment.instant) }
            return [.answer(Answer(request.id, refused: refusal, button: known(button)), to: caller.connection)]
        }
    }

    /// What is known of the key already: the run it started, or the refusal it got.
    private mutating func recall(
        _ scope: KeyScope, _ intent: Intent, _ request: Request, _ details: PressDetails, from caller: Caller,
        at moment: Moment
    ) -> [Effect]? {
        keys.expire(at: moment.instant)
        let known = known(scope.button)
        guard let entry = keys[scope] else {
            return refusals.recall(scope, intent, at: moment.instant).map {
                [.answer(Answer(request.id, refused: $0, button: known), to: caller.connection)]
            }
        }
        guard entry.intent == intent else {
            // Others learn of a run when it is stored.
            let refusal = Refusal(.keyReused, run: waiters[entry.run] == nil ? entry.run : nil)
            return [.answer(Answer(request.id, refused: refusal, button: known), to: caller.connection)]
        }
        return duplicate(entry, request.id, scope.button, from: caller, watch: details.watch, as: .accepted)
    }

    /// The answer to a key that is known: at once, or when its run is stored (then like the first one's).
    private mutating func duplicate(
        _ entry: KeyLedger.Entry, _ id: RequestID?, _ button: ItemID, from caller: Caller, watch: Bool,
        as result: Answer.Result
    ) -> [Effect] {
        if let others = waiters[entry.run] {
            guard mostWaiters == 0 || others.count < mostWaiters else {
                let refusal = Refusal(.rateLimited, retryAfter: .seconds(1))
                return [.answer(Answer(id, refused: refusal), to: caller.connection)]
            }
            waiters[entry.run]?.append(
                Waiter(id: id, connection: caller.connection, watch: watch, result: result))
            return []
        }
        var answer = Answer(id, .duplicate)
        answer.run = entry.run
        answer.outcome = entry.outcome
        answer.button = known(button)
        let watching: [Effect] = watch && entry.outcome == nil ? [.watch(entry.run, by: caller.connection)] : []
        return [.answer(answer, to: caller.connection)] + watching
    }

    /// The checks of a press or retry that is new, in the order of `Documentation/protocol.md`.
    private mutating func accept(
        _ intent: Intent, _ scope: KeyScope?, _ button: ItemID?, _ details: PressDetails, from caller: Caller,
        fresh: RunID, at now: Instant
    ) -> Result<RunRecord, Refusal> {
        guard let button, let machine = buttons[button] else { return .failure(Refusal(.unknownButton)) }
        var root = fresh
        var attempt = 1
        if case .retry(let run) = intent.verb {
            switch machine.retriable(run) {
            case .success(let failed): (root, attempt) = (failed.record.root, failed.record.attempt + 1)
            case .failure(let refusal): return .failure(refusal)
            }
        }
        let errors = details.arguments.fieldErrors
        guard errors.isEmpty else { return .failure(Refusal(.badArguments, fields: errors)) }
        guard !isShuttingDown else { return .failure(Refusal(.shuttingDown)) }
        guard scope == nil || keys.hasRoom else { return .failure(Refusal(.keySpaceFull)) }
        let record = RunRecord(
            run: fresh, button: button, root: root, attempt: attempt, by: caller.name, client: caller.client,
            key: details.key, principal: caller.principal)
        let action = update(button) {
            $0.press(record, origin: details.origin, by: caller.connection, at: now)
        }
        switch action {
        case .persist(let record): return .success(record)
        case .refuse(let refusal): return .failure(refusal)
        }
    }

    /// Repeating a refusal makes sense only where asking again could start a run late.
    private mutating func remember(_ refusal: Refusal, of intent: Intent, under scope: KeyScope, at now: Instant) {
        switch refusal.reason {
        case .shuttingDown, .keySpaceFull, .unknownButton: break
        default: refusals.remember(scope, intent, refusal, at: now)
        }
    }

    private mutating func cancel(
        _ run: RunID?, _ request: Request, from caller: Caller, at moment: Moment
    ) -> [Effect] {
        guard let button = known(ItemID(request.button)) else {
            return [.answer(Answer(request.id, refused: Refusal(.unknownButton)), to: caller.connection)]
        }
        let done = Effect.answer(Answer(request.id, .ok), to: caller.connection)
        switch update(button, { $0.cancel(run, at: moment.instant) }) {
        case .interrupt(let record): return [done] + interrupt(record, at: moment)
        case .acknowledge: return [done]
        case .abandon(let record, let end): return [done, .persistEnd(record, end)]
        case .refuse(let refusal):
            return [.answer(Answer(request.id, refused: refusal, button: button), to: caller.connection)]
        }
    }

    private mutating func dismiss(_ run: RunID, _ request: Request) -> Answer {
        guard let button = known(ItemID(request.button)) else {
            return Answer(request.id, refused: Refusal(.unknownButton))
        }
        switch update(button, { $0.dismiss(run) }) {
        case .acknowledge: return Answer(request.id, .ok)
        case .refuse(let refusal): return Answer(request.id, refused: refusal, button: button)
        }
    }

    private mutating func lookUp(_ key: String, _ request: Request, from caller: Caller, at moment: Moment) -> Effect? {
        guard let button = known(ItemID(request.button)) else {
            return .answer(Answer(request.id, refused: Refusal(.unknownButton)), to: caller.connection)
        }
        keys.expire(at: moment.instant)
        guard let entry = keys[KeyScope(principal: caller.principal, button: button, key: key)] else {
            let refusal = Refusal(.unknownKey)
            return .answer(Answer(request.id, refused: refusal, button: button), to: caller.connection)
        }
        return duplicate(entry, request.id, button, from: caller, watch: false, as: .duplicate).first
    }

    // MARK: Events of runs

    private mutating func persisted(_ record: RunRecord, durable: Bool, at moment: Moment) -> [Effect] {
        let action = update(record.button) { $0.persisted(record.run, at: moment) }
        let waiting = waiters.removeValue(forKey: record.run) ?? []
        switch action {
        case .doNothing:
            return []
        case .endBeforeStart(let record, let end):
            return waiting.flatMap { stored($0, record, durable: durable) } + [.persistEnd(record, end)]
        case .start(let record):
            let started = RunEvent(record: record, change: .started, at: moment.wall)
            return waiting.flatMap { stored($0, record, durable: durable) } + [.report(started), .start(record)]
        }
    }

    private func stored(_ waiter: Waiter, _ record: RunRecord, durable: Bool) -> [Effect] {
        var answer = Answer(waiter.id, waiter.result)
        answer.run = record.run
        answer.durable = durable
        let watching: [Effect] = waiter.watch ? [.watch(record.run, by: waiter.connection)] : []
        return [.answer(answer, to: waiter.connection)] + watching
    }

    private mutating func actionEnded(_ record: RunRecord, _ result: ActionResult) -> [Effect] {
        switch update(record.button, { $0.actionEnded(record.run, with: result) }) {
        case .persistEnd(let record, let end): [.persistEnd(record, end)]
        case .freeSlot, .doNothing: []
        }
    }

    private mutating func endPersisted(_ record: RunRecord, at moment: Moment) -> [Effect] {
        switch update(record.button, { $0.endPersisted(record.run, at: moment) }) {
        case .doNothing:
            return []
        case .report(let ended):
            if let key = record.key {
                let scope = KeyScope(principal: record.principal, button: record.button, key: key)
                keys.ended(scope, ended.end.outcome, at: moment.instant)
            }
            let change = RunEvent.Change.ended(ended.end, duration: ended.duration)
            return [.report(RunEvent(record: record, change: change, at: moment.wall))]
        }
    }

    private mutating func reported(_ record: RunRecord, _ report: RunReport, at now: Instant) -> [Effect] {
        update(record.button) { $0.reported(report, by: record.run, at: now) }
        return []
    }

    private mutating func setAvailability(_ button: ItemID, _ availability: Availability) -> [Effect] {
        update(button) { $0.setAvailability(availability) }
        return []
    }

    private mutating func advance(_ button: ItemID, at moment: Moment) -> [Effect] {
        update(button) { $0.advance(to: moment.instant) }.flatMap { stop($0, at: moment) }
    }

    private mutating func shutDown(at moment: Moment) -> [Effect] {
        let givingUp = isShuttingDown
        isShuttingDown = true
        let busy = buttons.filter { !$0.value.runs.isEmpty }.keys.sorted()
        return busy.flatMap { button in
            update(button) { $0.shutDown(givingUp: givingUp, at: moment.instant) }
        }.flatMap { stop($0, at: moment) }
    }

    private func stop(_ action: ButtonMachine.StopAction, at moment: Moment) -> [Effect] {
        switch action {
        case .interrupt(let record): interrupt(record, at: moment)
        case .persistEnd(let record, let end): [.persistEnd(record, end)]
        }
    }

    private func interrupt(_ record: RunRecord, at moment: Moment) -> [Effect] {
        [.report(RunEvent(record: record, change: .cancelling, at: moment.wall)), .interrupt(record.run)]
    }

    // MARK: Access

    private func known(_ button: ItemID?) -> ItemID? {
        button.flatMap { buttons[$0] == nil ? nil : $0 }
    }

    /// The only way to change a button, so that none changes unnoticed.
    private mutating func update<Result>(_ button: ItemID, _ change: (inout ButtonMachine) -> Result) -> Result {
        guard buttons[button] != nil else {
            preconditionFailure("An event names the button \(button), which is not on the board.")
        }
        touched.insert(button)
        return change(&buttons[button]!)
    }
}
