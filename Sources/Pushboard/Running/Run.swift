import Synchronization

/// The handle of a run, given to its action to report by. It may be used from any thread, also after the end.
public final class Run: Sendable {
    public let id: RunID
    /// From 1; a retry counts on.
    public let attempt: Int
    private let deliver: @Sendable (Run) async -> Void
    private let mailbox = Mutex(Mailbox())

    /// The newest report; a delivery that is under way takes along whatever comes until it arrives.
    private struct Mailbox {
        var report = RunReport()
        var isUnderWay = false
    }

    init(_ record: RunRecord, deliver: @escaping @Sendable (Run) async -> Void) {
        id = record.run
        attempt = record.attempt
        self.deliver = deliver
    }

    /// Whether the run was told to stop: by a person, its timeout, or the end of the server.
    public var isCancelled: Bool { Task.isCancelled }

    /// How much is done, 0…1. Other numbers are clamped, NaN is ignored; `nil` = not known.
    public func progress(_ fraction: Double?) {
        if let fraction {
            guard !fraction.isNaN else { return }
            update { $0.progress = .fraction(min(1, max(0, fraction))) }
        } else {
            update { $0.progress = nil }
        }
    }

    /// How many of how many steps are done. A total of 0 is indeterminate.
    public func progress(completed: Int, total: Int) {
        let total = max(0, total)
        update { $0.progress = .steps(completed: min(max(0, completed), total), total: total) }
    }

    /// A line of plain text beside the button, at most 1 KiB.
    public func note(_ text: String) {
        update { $0.note = text.capped(atBytes: 1024) }
    }

    private func update(_ change: (inout RunReport) -> Void) {
        let isFirst = mailbox.withLock { mailbox in
            change(&mailbox.report)
            defer { mailbox.isUnderWay = true }
            return !mailbox.isUnderWay
        }
        guard isFirst else { return }
        Task.detached { [self] in await deliver(self) }
    }

    /// Has what the action said last arrive before its end does, so that a bar reaches its end.
    func finishReporting() async {
        guard mailbox.withLock({ $0.isUnderWay }) else { return }
        await deliver(self)
        // A step of its own: an optimised build may otherwise stay on the board's executor and end the run in the
        // same job, so that nobody would see this report.
        await Task.yield()
    }

    /// What it says by now. Asked where the delivery arrives: what was packed before could be overtaken on its way.
    func newest() -> RunReport {
        mailbox.withLock { mailbox in
            mailbox.isUnderWay = false
            return mailbox.report
        }
    }
}
