/// A range of addresses, as in `10.0.0.0/8` or `fd00::/8`; an address alone is itself.
public struct CIDR: Hashable, Sendable, CustomStringConvertible {
    private let base: IPAddress
    private let bits: Int

    /// `nil`: not an address, or a prefix length out of range.
    public init?(parsing text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parsing: String(parts[0])) else { return nil }
        let width = address.isIPv4 && !parts[0].contains(":") ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard let given = Int(parts[1]), (0...width).contains(given), parts[1].utf8.first != 43 else { return nil }
            length = given
        }
        bits = length + 128 - width
        base = Self.masked(address, bits)
    }

    public func contains(_ address: IPAddress) -> Bool { Self.masked(address, bits) == base }

    public var description: String { base.isIPv4 && bits >= 96 ? "\(base)/\(bits - 96)" : "\(base)/\(bits)" }

    private static func masked(_ address: IPAddress, _ bits: Int) -> IPAddress {
        let high = bits >= 64 ? UInt64.max : ~(UInt64.max >> UInt64(bits))
        let low = bits >= 128 ? UInt64.max : bits <= 64 ? 0 : ~(UInt64.max >> UInt64(bits - 64))
        return IPAddress(high: address.high & high, low: address.low & low)
    }
}
