/// What a client may say; see `Documentation/protocol.md`.
package enum ClientMessage: Hashable, Sendable {
    case request(Request)
    case snapshot(RequestID?)
    case subscribeToRuns(RequestID?, log: String?, after: Int?)
    case unsubscribeFromRuns(RequestID?)
    case ping(RequestID?)

    package init(parsing bytes: [UInt8]) throws(MalformedMessage) {
        let value: JSONValue
        do throws(JSONReader.Failure) {
            value = try JSONReader.read(bytes)
        } catch {
            throw MalformedMessage(.badJSON, "This is not JSON: \(error.description) at byte \(error.offset).")
        }
        guard case .object(let members) = value else {
            throw MalformedMessage(.badMessage, "A message is one JSON object.")
        }
        try self.init(Fields(members))
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

extension ClientMessage {
    fileprivate init(_ fields: Fields) throws(MalformedMessage) {
        guard case .text(let type)? = fields[.type] else {
            throw MalformedMessage(.badMessage, "A message needs its `type`, a string.", id: fields.id)
        }
        self =
            switch type {
            case "press": .request(try fields.request(.press(try fields.pressDetails())))
            case "retry": .request(try fields.request(.retry(try fields.requiredRun(), try fields.pressDetails())))
            case "cancel": .request(try fields.request(.cancel(try fields.run())))
            case "dismiss": .request(try fields.request(.dismiss(try fields.requiredRun())))
            case "lookup": .request(try fields.request(.lookup(key: try fields.required(.key, try fields.key()))))
            case "snapshot": .snapshot(fields.id)
            case "subscribe": try fields.subscription()
            case "unsubscribe": try fields.topic(.unsubscribeFromRuns(fields.id))
            case "ping": .ping(fields.id)
            default: throw MalformedMessage(.badMessage, "The type `\(type.prefix(40))` is not known.", id: fields.id)
            }
    }
}

/// Reads fields so that each mistake names its field. `null` is the same as absent.
private struct Fields {
    enum Key: String {
        case type, id, button, run, key, origin, watch, arguments, topic, log, after
    }

    private let members: [String: JSONValue]
    private(set) var id: RequestID?

    init(_ members: [String: JSONValue]) throws(MalformedMessage) {
        self.members = members
        id = try requestID()
    }

    subscript(key: Key) -> JSONValue? {
        guard let value = members[key.rawValue], value != .null else { return nil }
        return value
    }

    func required<Value>(_ key: Key, _ value: Value?) throws(MalformedMessage) -> Value {
        guard let value else {
            throw MalformedMessage(.badField, "The field `\(key.rawValue)` is missing.", id: id)
        }
        return value
    }

    func request(_ verb: Request.Verb) throws(MalformedMessage) -> Request {
        Request(id: id, button: try required(.button, try text(.button)), verb: verb)
    }

    func requiredRun() throws(MalformedMessage) -> RunID { try required(.run, try run()) }

    func run() throws(MalformedMessage) -> RunID? { try shortText(.run).map { RunID($0) } }

    func key() throws(MalformedMessage) -> String? { try shortText(.key) }

    func pressDetails() throws(MalformedMessage) -> PressDetails {
        var details = PressDetails(key: try key(), arguments: try arguments())
        if let name = try text(.origin) {
            guard let origin = Origin(rawValue: name) else { throw bad(.origin, "is `dom` or `script`") }
            details.origin = origin
        }
        switch self[.watch] {
        case nil: break
        case .bool(let watch)?: details.watch = watch
        default: throw bad(.watch, "is true or false")
        }
        return details
    }

    func subscription() throws(MalformedMessage) -> ClientMessage {
        let log = try text(.log)
        switch self[.after] {
        case nil: return try topic(.subscribeToRuns(id, log: log, after: nil))
        case .integer(let number)? where number >= 0:
            return try topic(.subscribeToRuns(id, log: log, after: Int(number)))
        default: throw bad(.after, "is the number of a run event")
        }
    }

    /// Only `runs` can be subscribed to.
    func topic(_ message: ClientMessage) throws(MalformedMessage) -> ClientMessage {
        guard try required(.topic, try text(.topic)) == "runs" else { throw bad(.topic, "is `runs`") }
        return message
    }

    private func text(_ key: Key) throws(MalformedMessage) -> String? {
        switch self[key] {
        case nil: nil
        case .text(let text)?: text
        default: throw bad(key, "is a string")
        }
    }

    /// What is kept for a while: 1–128 characters.
    private func shortText(_ key: Key) throws(MalformedMessage) -> String? {
        guard let text = try text(key) else { return nil }
        guard (1...128).contains(text.unicodeScalars.count) else { throw bad(key, "has 1 to 128 characters") }
        return text
    }

    /// An integer of at most 2⁵³ or a string of at most 128 characters.
    private func requestID() throws(MalformedMessage) -> RequestID? {
        switch self[.id] {
        case nil: nil
        case .integer(let number)? where number.magnitude <= 1 << 53: .integer(number)
        case .text(let text)? where text.unicodeScalars.count <= 128: .text(text)
        default: throw bad(.id, "is an integer of at most 2⁵³ or a string of at most 128 characters")
        }
    }

    private func arguments() throws(MalformedMessage) -> Arguments {
        switch self[.arguments] {
        case nil: return Arguments()
        case .object(let values)?:
            guard !values.isEmpty else { return Arguments() }
            let names = values.keys.sorted().prefix(20).map { $0.capped(atBytes: 128) }
            return Arguments(names: names, fingerprint: JSONValue.object(values).fingerprint)
        default: throw bad(.arguments, "is an object")
        }
    }

    private func bad(_ key: Key, _ what: String) -> MalformedMessage {
        MalformedMessage(.badField, "The field `\(key.rawValue)` \(what).", id: id)
    }
}
