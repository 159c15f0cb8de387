/// A button as the wire carries it: the same for every client. Durations are counted when it is made.
struct ButtonItem: Encodable {
    struct RunItem: Encodable {
        let run: String
        let attempt: Int
        /// How many attempts there are in all, where a failure is tried again by itself.
        let of: Int?
        let by: String
        let client: String
        let elapsedMs: Int
        let progress: Double?
        let completed: Int?
        let total: Int?
        let note: String?
        let cancelling: Bool
        let killing = false
        let stuck: Bool
    }
    struct WaitingItem: Encodable {
        let run: String
        let by: String
        let client: String
        /// `slot` or `countdown`.
        let `for`: String
        let leftMs: Int?
    }
    struct BlockedItem: Encodable {
        let button: String
        let run: String
    }
    struct LastItem: Encodable {
        let run: String
        let outcome: Outcome
        let at: Int64
        let durationMs: Int
        let by: String
        let late: Bool?
    }

    let id: String
    let rev: Int
    let seq: Int
    let label: String
    let busyLabel: String?
    let description: String?
    let icon: String?
    /// The icon stands alone; the label is its accessible name.
    let iconOnly: Bool?
    let role: ButtonRole
    let size: ControlSize
    let width: ControlWidth
    let tint: String?
    let style: ButtonStyle
    let progressPlacement: ProgressPlacement
    let successStyle: SuccessStyle
    let failureStyle: FailureStyle
    let confirm: String?
    let arguments: [String] = []
    let policy: String
    let max: Int?
    let group: String?
    let timeoutMs: Int?
    let phase: Phase
    let blocked: BlockedItem?
    let enabled: Bool
    let disabledReason: String?
    let settling: Bool
    let overdue: Bool
    let cancellable: Bool
    let retryable: Bool
    let failures: Int
    let removed = false
    let queued: Int
    /// The first of those that wait.
    let queue: [WaitingItem]
    let run: RunItem?
    let error: ErrorItem?
    let holdLeftMs: Int?
    let retryAfterMs: Int?
    let last: LastItem?
}

/// The one shape of a run's error.
struct ErrorItem: Encodable {
    let code: String
    let message: String
    let run: String
    let retryable: Bool
    let needs: [String] = []

    init(_ error: RunError, run: RunID) {
        code = error.code
        message = error.message
        self.run = run.rawValue
        retryable = error.retryable
    }
}
