/// The name of a button or panel within its board: `[a-z0-9][a-z0-9._-]{0,63}`.
public struct ItemID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public var description: String { rawValue }

    /// `nil` if the text does not have the form above.
    public init?(_ text: String) {
        guard Self.isWellFormed(text) else { return nil }
        rawValue = text
    }

    /// The id that a label gives when none is written: lower-case, other runs of characters turned to `-`.
    /// `nil` if nothing is left.
    public init?(derivedFrom label: String) {
        var derived = ""
        for scalar in label.lowercased().unicodeScalars {
            if Self.isAlphanumeric(scalar) || scalar == "." || scalar == "_" {
                derived.unicodeScalars.append(scalar)
            } else if !derived.isEmpty, !derived.hasSuffix("-") {
                derived.append("-")
            }
        }
        let start = derived.unicodeScalars.drop { !Self.isAlphanumeric($0) }.prefix(Self.longest)
        var trimmed = String(String.UnicodeScalarView(start))
        while trimmed.hasSuffix("-") { trimmed.removeLast() }
        self.init(trimmed)
    }

    public static func < (left: ItemID, right: ItemID) -> Bool { left.rawValue < right.rawValue }

    private static let longest = 64

    private static func isWellFormed(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, isAlphanumeric(first), scalars.count <= longest else { return false }
        return scalars.allSatisfy { isAlphanumeric($0) || $0 == "." || $0 == "_" || $0 == "-" }
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }
}

/// One execution of an action: 26 characters, unique over restarts. Order comes only from a run event's number.
public struct RunID: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public var description: String { rawValue }

    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// A connection as the server counts it; never sent to anybody.
package struct ConnectionID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// Who sends a request, as far as the machine needs to know.
package struct Caller: Hashable, Sendable {
    package let connection: ConnectionID
    /// The opaque public id of the connection (`hello.client`); never a capability.
    package let client: String
    /// How the caller is shown to others (`by`).
    package let name: String
    /// The scope of idempotency keys: who is signed in; one for all where there are no users.
    package let principal: String

    package init(connection: ConnectionID, client: String, name: String, principal: String = "") {
        self.connection = connection
        self.client = client
        self.name = name
        self.principal = principal
    }
}
