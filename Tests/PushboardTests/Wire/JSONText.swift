import Foundation

@testable import Pushboard

/// What the server wrote, for tests to look at.
///
/// Read by `JSONSerialization`, the one use of the whole of Foundation: a decoder that has to try each kind of value in
/// turn takes a hundred times as long, and the tests read tens of thousands of frames.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(_ bytes: [UInt8]) throws {
        self.init(any: try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    private init(any value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let members as [String: Any]: self = .object(members.mapValues { JSONValue(any: $0) })
        case let elements as [Any]: self = .list(elements.map { JSONValue(any: $0) })
        case let number as NSNumber: self.init(number)
        default: self = .null
        }
    }

    private init(_ number: NSNumber) {
        if unsafe number.objCType.pointee == CChar(UInt8(ascii: "c")) {
            self = .bool(number.boolValue)
        } else if let whole = Int64(exactly: number.doubleValue), number.doubleValue.magnitude < 1e15 {
            self = .integer(whole)
        } else {
            self = .number(number.doubleValue)
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
