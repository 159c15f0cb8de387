import FoundationEssentials

@testable import Pushboard

/// What the server wrote, for tests to look at.
enum JSONValue: Hashable, Sendable, Decodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let members = try? container.decode([String: JSONValue].self) {
            self = .object(members)
        } else if let elements = try? container.decode([JSONValue].self) {
            self = .list(elements)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let whole = try? container.decode(Int64.self) {
            self = .integer(whole)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .null
        }
    }

    var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }
    var elements: [JSONValue] { if case .list(let elements) = self { elements } else { [] } }
    var string: String? { if case .text(let text) = self { text } else { nil } }
    var int: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    var names: Set<String> { Set(members.keys) }

    subscript(name: String) -> JSONValue? { members[name] }
}

extension JSON {
    /// What is sent for `value`, as a text.
    static func text(_ value: some Encodable) -> String { String(decoding: encode(value), as: UTF8.self) }
}
