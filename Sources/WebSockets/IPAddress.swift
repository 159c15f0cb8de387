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
