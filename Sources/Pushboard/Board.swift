/// A board of buttons: owns their state, runs their actions and says what changed.
///
/// It is an actor on the thread of the server that carries it (`BoardExecutor`), so that a frame that arrives presses a
/// button and the broadcast leaves in the same turn, without locks or hops.
public actor Board {
    public nonisolated let title: String
    /// The language of the configured texts, a BCP 47 tag.
    public nonisolated let language: String
    package nonisolated let limits: Limits
    package nonisolated let executor: BoardExecutor
    /// The random id of this life of the board's state.
    package nonisolated let epoch: String
    package nonisolated let store: any RunStore
    let plan: BoardPlan
    let clock: any BoardClock
    private let freshID: @Sendable () -> String
    var machine: BoardMachine
    var feed: Feed
    var events: EventLog
    private var deadlines = DeadlineQueue()
    private var tasks: [RunID: Task<Void, Never>] = [:]
    private var watchers: [RunID: Set<ConnectionID>] = [:]
    private var pending: [BoardMachine.Event] = []
    private var isHandling = false
    private weak var transport: (any BoardTransport)?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Problems of the content are reported when the board is served, all at once.
    public init(
        _ title: String, language: String = "en", limits: Limits = Limits(), store: any RunStore = MemoryRunStore(),
        @BoardBuilder content: () -> [Section]
    ) {
        self.init(
            title, language: language, limits: limits, store: store, clock: SystemClock(),
            freshID: { RandomID.make() }, content: content)
    }

    /// With the clock and the source of ids injected.
    package init(
        _ title: String, language: String = "en", limits: Limits = Limits(), store: any RunStore = MemoryRunStore(),
        clock: any BoardClock, freshID: @escaping @Sendable () -> String, @BoardBuilder content: () -> [Section]
    ) {
        self.title = title
        self.language = language
        self.limits = limits
        self.store = store
        self.clock = clock
        self.freshID = freshID
        executor = BoardExecutor()
        epoch = freshID()
        plan = BoardPlan(content())
        machine = BoardMachine(
            buttons: plan.buttons.mapValues {
                ButtonMachine(times: $0.times, isCancellable: $0.isCancellable, availability: $0.availability)
            }, limits: limits)
        feed = Feed(plan: plan, title: title, language: language, epoch: epoch)
        events = EventLog(capacity: limits.runEvents)
    }

    /// - Throws: `ConfigurationError` with everything that is wrong with the content.
    package nonisolated func check() throws {
        guard plan.problems.isEmpty else { throw ConfigurationError(problems: plan.problems) }
    }

    package func attach(_ transport: any BoardTransport) { self.transport = transport }

    /// Shows or hides a button's readiness for reasons of business; presses are refused meanwhile.
    public func setAvailability(_ availability: Availability, of button: String) {
        guard let id = ItemID(button), machine.buttons[id] != nil else { return }
        handle(.setAvailability(id, availability))
    }

    // MARK: Events in

    package func receive(_ request: Request, from caller: Caller) {
        handle(.request(request, from: caller, fresh: RunID(freshID())))
    }

    /// Refuses presses and stops all runs; called again, gives up on those that have not stopped.
    package func shutDown() { handle(.shutDown) }

    /// Whether every run has ended.
    package var isQuiet: Bool { machine.isQuiet }

    /// A store that answers at once answers inside the event that asked: its answer waits for its turn.
    private func handle(_ event: BoardMachine.Event) {
        pending.append(event)
        guard !isHandling else { return }
        isHandling = true
        while !pending.isEmpty {
            for effect in machine.handle(pending.removeFirst(), at: clock.now) { perform(effect) }
        }
        isHandling = false
    }

    /// From any thread; in the same turn if it is the board's own.
    private nonisolated func submit(_ event: BoardMachine.Event) {
        if executor.isCurrent {
            assumeIsolated { $0.handle(event) }
        } else {
            Task.detached { await self.handle(event) }
        }
    }

    // MARK: Effects out

    private func perform(_ effect: BoardMachine.Effect) {
        switch effect {
        case .answer(let answer, let connection): transport?.deliver(encode(answer), to: connection)
        case .watch(let run, let connection): watch(run, by: connection)
        case .persist(let record):
            store.accept(record) { self.submit(.persisted(record, durable: $0)) }
        case .persistEnd(let record, let end):
            store.end(record, end) { self.submit(.endPersisted(record)) }
        case .start(let record): start(record)
        case .interrupt(let run): tasks[run]?.cancel()
        case .report(let event): report(event)
        }
    }

    /// Those who have left are forgotten whenever the watchers have doubled.
    private func watch(_ run: RunID, by connection: ConnectionID) {
        var all = watchers[run] ?? []
        all.insert(connection)
        if all.count >= 64, all.count & (all.count - 1) == 0 { all = all.filter { transport?.isOpen($0) ?? false } }
        watchers[run] = all
    }

    private func start(_ record: RunRecord) {
        guard let button = plan.buttons[record.button] else { return }
        let run = Run(record) { await self.reported(record, by: $0) }
        tasks[record.run] = Task.detached {
            let result = await ActionResult(of: button.action, run)
            await run.finishReporting()
            await self.ended(record, result)
        }
    }

    private func reported(_ record: RunRecord, by run: Run) { handle(.reported(record, run.newest())) }

    private func ended(_ record: RunRecord, _ result: ActionResult) {
        tasks[record.run] = nil
        handle(.actionEnded(record, result))
    }

    private func report(_ event: RunEvent) {
        let frame = events.append(event)
        let run = event.record.run
        transport?.deliver(runEvent: frame, number: events.head, watchers: watchers[run] ?? [])
        if case .ended = event.change { watchers[run] = nil }
    }

    // MARK: Turns

    /// What changed since the last flush as one frame for all who have everything before it.
    package func flush() -> Feed.Frame? {
        let before = feed.head
        for button in machine.takeTouched().sorted() {
            guard let state = machine.buttons[button] else { continue }
            deadlines.set(button, state.nextDeadline)
            feed.update(button, rev: state.rev)
        }
        return feed.head > before ? feed.state(after: before, machine, at: clock.now) : nil
    }

    package var nextDeadline: Instant? { deadlines.next }

    package func runDueTimers() {
        while let button = deadlines.popDue(at: clock.now.instant) { handle(.timersDue(button)) }
    }
}

/// What carries a board's words to its clients. Called on the board's executor.
package protocol BoardTransport: AnyObject, Sendable {
    func isOpen(_ connection: ConnectionID) -> Bool
    func deliver(_ frame: [UInt8], to connection: ConnectionID)
    /// Goes to the subscribers of runs and to those who watch this run.
    func deliver(runEvent frame: [UInt8], number: Int, watchers: Set<ConnectionID>)
}
