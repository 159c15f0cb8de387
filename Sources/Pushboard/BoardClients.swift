import FoundationEssentials

/// What a transport asks a board on behalf of one client.
extension Board {
    package func hello(to caller: Caller, assets: String) -> [UInt8] {
        JSON.encode(
            HelloMessage(
                server: "pushboard", epoch: epoch, log: epoch, durable: store.isDurable, assets: assets,
                client: caller.client, user: .init(name: caller.name), time: clock.now.wall,
                limits: .init(messageBytes: limits.messageBytes, pressesPerSecond: limits.pressesPerSecond)))
    }

    /// A snapshot for a client that resumes from `seq` of `epoch`, or of the whole board.
    package func snapshot(epoch: String? = nil, seq: Int? = nil) -> Feed.Snapshot {
        guard epoch == self.epoch, let seq, (0...feed.head).contains(seq) else {
            return feed.snapshot(after: 0, resumed: false)
        }
        return feed.snapshot(after: seq, resumed: true)
    }

    /// The next part of a snapshot, and what is left of it; `nil` after the last.
    package func part(of snapshot: Feed.Snapshot) -> (frame: Feed.Frame, rest: Feed.Snapshot?) {
        feed.part(of: snapshot, machine, at: clock.now)
    }

    /// The next changes for a client that has everything up to `sent`; `nil` if there are none.
    package func changes(after sent: Int) -> Feed.Frame? {
        feed.head > sent ? feed.state(after: sent, machine, at: clock.now) : nil
    }

    /// The number of the newest change.
    package var head: Int { feed.head }

    package nonisolated var now: Instant { clock.now.instant }

    /// The number of the newest run event; 0 before the first.
    package var newestRunEvent: Int { events.head }

    /// Where a subscription to runs starts, and whether that is later than was asked for.
    package func startOfSubscription(log: String?, after: Int?) -> (after: Int, gap: Bool) {
        guard log != nil || after != nil else { return (events.head, false) }
        let isSameLog = log == nil || log == epoch
        guard isSameLog, events.reaches(after: after ?? events.start) else { return (events.start, true) }
        return (after ?? events.start, false)
    }

    /// The run event after the one of this number.
    package func runEvent(after number: Int) -> RunEventLookup {
        if let frame = events[after: number] { return .frame(frame) }
        return number >= events.head ? .caughtUp : .forgotten
    }

    package enum RunEventLookup: Sendable {
        case frame([UInt8])
        case caughtUp
        /// It was kept too briefly for this reader.
        case forgotten
    }

    /// An answer as it goes out, with the button's state where the answer carries one.
    package func encode(_ answer: Answer) -> [UInt8] {
        let bytes = JSON.encode(answer)
        guard let button = answer.button else { return bytes }
        return JSON.object(bytes, adding: "button", feed.item(button, machine, at: clock.now))
    }
}
