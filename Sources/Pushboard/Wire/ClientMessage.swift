import FoundationEssentials

/// What a client may say; see `Documentation/protocol.md`.
package enum ClientMessage: Hashable, Sendable {
    case request(Request)
    case snapshot(RequestID?)
    case subscribeToRuns(RequestID?, log: String?, after: Int?)
    case unsubscribeFromRuns(RequestID?)
    case ping(RequestID?)

    package init(parsing bytes: [UInt8]) throws(MalformedMessage) {
        do {
            self = try JSONDecoder().decode(Incoming.self, from: Data(bytes)).message
        } catch let malformed as MalformedMessage {
            throw malformed
        } catch DecodingError.dataCorrupted {
            throw MalformedMessage(.badJSON, "This is not JSON.")
        } catch {
            throw MalformedMessage(.badMessage, "A message is one JSON object.")
        }
    }
}

/// A message that is not understood; it changes nothing.
package struct MalformedMessage: Error, Hashable {
    package enum Code: String, Hashable, Sendable {
        case badJSON = "bad_json"
        case badMessage = "bad_message"
        case badField = "bad_field"
    }
    package let code: Code
    package let message: String
    /// The message's own id, where one could be read.
    package let id: RequestID?

    init(_ code: Code, _ message: String, id: RequestID? = nil) {
        self.code = code
        self.message = message
        self.id = id
    }
}

/// The JSON of a client message, field by field.
private struct Incoming: Decodable {
    let message: ClientMessage

    enum Key: String, CodingKey {
        case type, id, button, run, key, origin, watch, arguments, topic, log, after
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        var fields = Fields(container: container)
        fields.id = try fields.requestID()
        guard let type = try? container.decodeIfPresent(String.self, forKey: .type) else {
            throw MalformedMessage(.badMessage, "A message needs its `type`, a string.", id: fields.id)
        }
        message = try Self.message(of: type, fields)
    }

    private static func message(of type: String, _ fields: Fields) throws -> ClientMessage {
        switch type {
        case "press": .request(try request(fields, .press(try fields.pressDetails())))
        case "retry": .request(try request(fields, .retry(try fields.run(), try fields.pressDetails())))
        case "cancel": .request(try request(fields, .cancel(try fields.optionalRun())))
        case "dismiss": .request(try request(fields, .dismiss(try fields.run())))
        case "lookup": .request(try request(fields, .lookup(key: try fields.key().orMissing(.key, fields.id))))
        case "snapshot": .snapshot(fields.id)
        case "subscribe": try subscription(fields)
        case "unsubscribe": try fields.topic { .unsubscribeFromRuns(fields.id) }
        case "ping": .ping(fields.id)
        default: throw MalformedMessage(.badMessage, "The type `\(type.prefix(40))` is not known.", id: fields.id)
        }
    }

    private static func request(_ fields: Fields, _ verb: Request.Verb) throws -> Request {
        Request(id: fields.id, button: try fields.required(.button), verb: verb)
    }

    private static func subscription(_ fields: Fields) throws -> ClientMessage {
        let log: String? = try fields.optional(.log)
        let after = try fields.eventNumber()
        return try fields.topic { .subscribeToRuns(fields.id, log: log, after: after) }
    }
}

/// Reads fields so that each mistake names its field.
private struct Fields {
    typealias Key = Incoming.Key
    let container: KeyedDecodingContainer<Key>
    var id: RequestID?

    func optional<Value: Decodable>(_ key: Key) throws -> Value? {
        do {
            return try container.decodeIfPresent(Value.self, forKey: key)
        } catch {
            throw bad(key, "has the wrong type")
        }
    }

    func required<Value: Decodable>(_ key: Key) throws -> Value {
        try (try optional(key) as Value?).orMissing(key, id)
    }

    func run() throws -> RunID { try optionalRun().orMissing(.run, id) }

    func optionalRun() throws -> RunID? { try name(.run).map { RunID($0) } }

    func key() throws -> String? { try name(.key) }

    /// 1–128 characters.
    private func name(_ key: Key) throws -> String? {
        guard let text: String = try optional(key) else { return nil }
        guard (1...128).contains(text.unicodeScalars.count) else { throw bad(key, "needs 1 to 128 characters") }
        return text
    }

    func eventNumber() throws -> Int? {
        guard let number: Int = try optional(.after) else { return nil }
        guard number >= 0 else { throw bad(.after, "is the number of an event, 0 or more") }
        return number
    }

    /// An integer of at most 2⁵³ or a string of at most 128 characters.
    func requestID() throws -> RequestID? {
        guard container.contains(.id), !((try? container.decodeNil(forKey: .id)) ?? false) else { return nil }
        if let number = try? container.decode(Int64.self, forKey: .id), number.magnitude <= 1 << 53 {
            return .integer(number)
        }
        if let text = try? container.decode(String.self, forKey: .id), text.unicodeScalars.count <= 128 {
            return .text(text)
        }
        throw bad(.id, "is an integer of at most 2⁵³ or a string of at most 128 characters")
    }

    func pressDetails() throws -> PressDetails {
        let origin = try (try optional(.origin) as String?).map { name in
            guard let origin = Origin(rawValue: name) else { throw bad(.origin, "is `dom` or `script`") }
            return origin
        }
        return PressDetails(
            key: try key(), origin: origin ?? .script, watch: try optional(.watch) ?? true,
            arguments: try arguments())
    }

    /// Only the names are read: nested values would be decoded at a cost that grows with the square of their depth,
    /// and no button declares an argument yet.
    private func arguments() throws -> Arguments {
        guard container.contains(.arguments), !((try? container.decodeNil(forKey: .arguments)) ?? false) else {
            return Arguments()
        }
        guard let values = try? container.nestedContainer(keyedBy: AnyKey.self, forKey: .arguments) else {
            throw bad(.arguments, "has the wrong type")
        }
        let names = values.allKeys.map(\.stringValue).sorted()
        guard !names.isEmpty else { return Arguments() }
        // A keyed hash of fixed size: it is kept with the key, however long the arguments are.
        return Arguments(
            names: names.prefix(20).map { $0.capped(atBytes: 128) }, fingerprint: String(names.hashValue, radix: 36))
    }

    /// Only `runs` can be subscribed to.
    func topic(_ message: () -> ClientMessage) throws -> ClientMessage {
        let topic: String = try required(.topic)
        guard topic == "runs" else { throw bad(.topic, "is `runs`") }
        return message()
    }

    private func bad(_ key: Key, _ what: String) -> MalformedMessage {
        MalformedMessage(.badField, "The field `\(key.rawValue)` \(what).", id: id)
    }
}

extension Optional {
    fileprivate func orMissing(_ key: Incoming.Key, _ id: RequestID?) throws -> Wrapped {
        guard let self else { throw MalformedMessage(.badField, "The field `\(key.rawValue)` is missing.", id: id) }
        return self
    }
}

/// Whatever a client calls its arguments.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
