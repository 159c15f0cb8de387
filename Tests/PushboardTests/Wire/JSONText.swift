@testable import Pushboard

/// Reads what the server wrote, for tests.
extension JSONValue {
    init(_ bytes: [UInt8]) throws { self = try JSONReader.read(bytes) }

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
