/// Answers: each request gets exactly one (I8).
extension BoardMachine {
    mutating func answer(
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
        arrivals += 1
        let arrival = arrivals
        let action = update(button) {
            $0.press(record, origin: details.origin, by: caller.connection, arrival: arrival, at: now)
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
        switch update(button, { $0.cancel(run, at: moment) }) {
        case .acknowledge(let steps): return [done] + carry(steps, at: moment)
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
}
