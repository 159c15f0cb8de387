/// The first words of the server on a connection.
package struct HelloMessage: Encodable {
    package struct User: Encodable {
        package let name: String
        package let roles: [String]

        package init(name: String, roles: [String] = []) {
            self.name = name
            self.roles = roles
        }
    }
    package struct ClientLimits: Encodable {
        package let messageBytes: Int
        package let pressesPerSecond: Int

        package init(messageBytes: Int, pressesPerSecond: Int) {
            self.messageBytes = messageBytes
            self.pressesPerSecond = pressesPerSecond
        }
    }
    let type = "hello"
    let `protocol` = 1
    let server: String
    let epoch: String
    let log: String
    let durable: Bool
    let assets: String
    let client: String
    let user: User
    /// Milliseconds since 1970.
    let time: Int64
    let pingMs = 15_000
    let limits: ClientLimits
}

/// The answer to a client's `ping`.
package struct PongMessage: Encodable {
    let type = "pong"
    let id: RequestID?

    package init(id: RequestID?) { self.id = id }
}

/// A message of the client was not understood.
package struct ErrorMessage: Encodable {
    let type = "error"
    let id: RequestID?
    let code: String
    let message: String

    package init(_ code: String, _ message: String, id: RequestID? = nil) {
        self.id = id
        self.code = code
        self.message = message
    }

    package init(_ malformed: MalformedMessage) {
        self.init(malformed.code.rawValue, malformed.message, id: malformed.id)
    }
}

/// The server is about to close the connection.
package struct GoodbyeMessage: Encodable {
    package enum Reason: String, Encodable {
        case shuttingDown = "shutting_down"
        case lagged
    }
    let type = "goodbye"
    let reason: Reason
    let reconnectAfterMs: Int?

    package init(_ reason: Reason, reconnectAfterMs: Int? = nil) {
        self.reason = reason
        self.reconnectAfterMs = reconnectAfterMs
    }
}

extension RequestID: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}

extension Answer: Encodable {
    private enum Key: String, CodingKey {
        case type, id, result, reason, run, outcome, retryAfterMs, fields, durable, gap
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("ack", forKey: .type)
        try container.encode(id, forKey: .id)
        try container.encode(result, forKey: .result)
        try container.encodeIfPresent(refusal?.reason, forKey: .reason)
        try container.encodeIfPresent(run?.rawValue, forKey: .run)
        try container.encodeIfPresent(outcome, forKey: .outcome)
        try container.encodeIfPresent(refusal?.retryAfter?.milliseconds, forKey: .retryAfterMs)
        if let fields = refusal?.fields, !fields.isEmpty { try container.encode(fields, forKey: .fields) }
        try container.encodeIfPresent(durable, forKey: .durable)
        if gap { try container.encode(true, forKey: .gap) }
    }
}

/// A run event as it goes out, with its number in the log.
struct RunMessage: Encodable {
    let number: Int
    let event: RunEvent

    private enum Key: String, CodingKey {
        case type, event, run, button, change, outcome, attempt, root, by, client, at, durationMs, error, late, orphaned
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let record = event.record
        try container.encode("run", forKey: .type)
        try container.encode(number, forKey: .event)
        try container.encode(record.run.rawValue, forKey: .run)
        try container.encode(record.button.rawValue, forKey: .button)
        try container.encode(record.attempt, forKey: .attempt)
        try container.encode(record.root.rawValue, forKey: .root)
        try container.encode(record.by, forKey: .by)
        try container.encode(record.client, forKey: .client)
        try container.encode(event.at, forKey: .at)
        try encodeChange(into: &container)
    }

    private func encodeChange(into container: inout KeyedEncodingContainer<Key>) throws {
        switch event.change {
        case .started:
            try container.encode("started", forKey: .change)
        case .cancelling:
            try container.encode("cancelling", forKey: .change)
        case .ended(let end, let duration):
            try container.encode("ended", forKey: .change)
            try container.encode(end.outcome, forKey: .outcome)
            try container.encode(duration.milliseconds, forKey: .durationMs)
            try container.encodeIfPresent(
                end.error.map { ErrorItem($0, run: event.record.run) }, forKey: .error)
            if end.late { try container.encode(true, forKey: .late) }
            if end.orphaned { try container.encode(true, forKey: .orphaned) }
        }
    }
}
