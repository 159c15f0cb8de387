/// What happens to runs, and what follows from it.
extension BoardMachine {
    mutating func persisted(_ record: RunRecord, durable: Bool, at moment: Moment) -> [Effect] {
        let steps = update(record.button) { $0.persisted(record.run, at: moment) }
        let waiting = waiters.removeValue(forKey: record.run) ?? []
        let own = steps.compactMap { if case .hold(record, let position) = $0 { position } else { nil } }.first
        let position = own.map { groupPosition(of: record) ?? $0 }
        return waiting.flatMap { stored($0, record, durable: durable, position: position) } + carry(steps, at: moment)
    }

    private func stored(_ waiter: Waiter, _ record: RunRecord, durable: Bool, position: Int?) -> [Effect] {
        var answer = Answer(waiter.id, waiter.result == .accepted && position != nil ? .held : waiter.result)
        answer.run = record.run
        answer.durable = durable
        answer.position = position
        let watching: [Effect] = waiter.watch ? [.watch(record.run, by: waiter.connection)] : []
        return [.answer(answer, to: waiter.connection)] + watching
    }

    mutating func actionEnded(
        _ record: RunRecord, _ result: ActionResult, random: Double, at moment: Moment
    ) -> [Effect] {
        let steps = update(record.button) { $0.actionEnded(record.run, with: result, random: random, at: moment) }
        return carry(steps, at: moment)
    }

    mutating func endPersisted(_ record: RunRecord, at moment: Moment) -> [Effect] {
        switch update(record.button, { $0.endPersisted(record.run, at: moment) }) {
        case .doNothing:
            return []
        case .report(let ended):
            if let key = record.key {
                let scope = KeyScope(principal: record.principal, button: record.button, key: key)
                keys.ended(scope, ended.end.outcome, at: moment.instant)
            }
            let change = RunEvent.Change.ended(ended.end, duration: ended.duration)
            return [.report(RunEvent(record: ended.record, change: change, at: moment.wall))]
        }
    }

    mutating func reported(_ record: RunRecord, _ report: RunReport, at now: Instant) -> [Effect] {
        update(record.button) { $0.reported(report, by: record, at: now) }
        return []
    }

    mutating func setAvailability(_ button: ItemID, _ availability: Availability) -> [Effect] {
        update(button) { $0.setAvailability(availability) }
        return []
    }

    mutating func advance(_ button: ItemID, at moment: Moment) -> [Effect] {
        carry(update(button) { $0.advance(at: moment) }, at: moment)
    }

    mutating func shutDown(at moment: Moment) -> [Effect] {
        let givingUp = isShuttingDown
        isShuttingDown = true
        let busy = buttons.filter { !$0.value.runs.isEmpty }.keys.sorted()
        return busy.flatMap { button in
            carry(update(button) { $0.shutDown(givingUp: givingUp, at: moment) }, at: moment)
        }
    }

    /// Turns what a button wants done into effects; what happens to a run is told before it is done.
    func carry(_ steps: [RunStep], at moment: Moment) -> [Effect] {
        steps.flatMap { step -> [Effect] in
            switch step {
            case .start(let record): [.report(event(record, .started, moment)), .start(record)]
            case .hold(let record, _): [.report(event(record, .held, moment))]
            case .interrupt(let record): [.report(event(record, .cancelling, moment)), .interrupt(record.run)]
            case .retryLater(let record, let error): [.report(event(record, .retrying(error), moment))]
            case .persistEnd(let record, let end): [.persistEnd(record, end)]
            }
        }
    }

    private func event(_ record: RunRecord, _ change: RunEvent.Change, _ moment: Moment) -> RunEvent {
        RunEvent(record: record, change: change, at: moment.wall)
    }
}
