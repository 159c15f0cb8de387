import FoundationEssentials

/// Compact JSON, keys sorted so that equal values have equal bytes.
package enum JSON {
    package static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(value))
        } catch {
            preconditionFailure("A message of our own cannot be encoded: \(error)")
        }
    }

    /// One object of members that are encoded already.
    static func object(_ members: [(name: StaticString, value: [UInt8])]) -> [UInt8] {
        var bytes = [UInt8(ascii: "{")]
        bytes.reserveCapacity(members.reduce(2) { $0 + $1.value.count + 16 })
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += "\"\(member.name)\":".utf8
            bytes += member.value
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// One array of elements that are encoded already.
    static func array(_ elements: [[UInt8]]) -> [UInt8] {
        var bytes = [UInt8(ascii: "[")]
        bytes.reserveCapacity(elements.reduce(2) { $0 + $1.count + 1 })
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += element
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    /// An encoded, non-empty object with one more member behind the others.
    static func object(_ object: [UInt8], adding name: StaticString, _ value: [UInt8]) -> [UInt8] {
        var bytes = object
        bytes.removeLast()
        bytes += ",\"\(name)\":".utf8
        bytes += value
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
