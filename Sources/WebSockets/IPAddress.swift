internal import Glibc

/// An IPv4 or IPv6 address. An IPv4 address mapped into IPv6 is the IPv4 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The 16 bytes in network order, as two numbers; IPv4 in its mapped form `::ffff:a.b.c.d`.
    let high: UInt64
    let low: UInt64

    private static let mapped: UInt64 = 0xffff_0000_0000

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ address: in_addr) {
        self.init(high: 0, low: Self.mapped | UInt64(UInt32(bigEndian: address.s_addr)))
    }

    init(_ address: in6_addr) {
        let halves = unsafe unsafeBitCast(address, to: (UInt64, UInt64).self)
        self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
    }

    /// A literal without brackets, port or zone.
    public init?(parsing text: String) {
        var four = in_addr()
        var six = in6_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            self.init(four)
        } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    public var isIPv4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

    /// 127.0.0.0/8 or ::1.
    public var isLoopback: Bool { isIPv4 ? low >> 24 & 0xff == 127 : high == 0 && low == 1 }

    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if isIPv4 {
            var address = in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian)
            unsafe inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        } else {
            var address = unsafe unsafeBitCast((high.bigEndian, low.bigEndian), to: in6_addr.self)
            unsafe inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

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

/// Who sent a request.
public struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The other end of the socket; `nil`: a unix socket.
    public let direct: IPAddress?
    /// The client: `direct`, or what a trusted proxy says.
    public let effective: IPAddress?

    public init(direct: IPAddress?, effective: IPAddress?) {
        self.direct = direct
        self.effective = effective
    }

    /// Whether the client is on this machine.
    public var isLocal: Bool { effective?.isLoopback ?? true }

    public var description: String { effective?.description ?? "local" }
}
