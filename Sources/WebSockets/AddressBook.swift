/// Counts connections and upgrades per client address.
package struct AddressBook {
    private let limits: TransportLimits
    private var open: [IPAddress?: Int] = [:]
    private var handshakes: [IPAddress?: Int] = [:]
    private var windowEnd = Duration.zero

    package init(_ limits: TransportLimits) { self.limits = limits }

    /// Takes a place for `address`; false: it has as many as it may. `isLocal`: loopback, a unix socket or a trusted proxy.
    package mutating func enter(_ address: IPAddress?, isLocal: Bool) -> Bool {
        let limit = limits.connectionsPerAddress
        if limit != 0, !isLocal || limits.connectionsPerAddressCountsLocal, open[address, default: 0] >= limit {
            return false
        }
        open[address, default: 0] += 1
        return true
    }

    /// Gives the place back that `enter` took.
    package mutating func leave(_ address: IPAddress?) {
        guard let count = open[address] else { return }
        open[address] = count > 1 ? count - 1 : nil
    }

    /// Counts an upgrade in the current second; false: too many.
    package mutating func shakeHands(_ address: IPAddress?, isLocal: Bool, now: Duration) -> Bool {
        let limit = limits.handshakesPerSecond
        guard limit != 0, !isLocal || limits.handshakesPerSecondCountsLocal else { return true }
        if now >= windowEnd {
            handshakes.removeAll(keepingCapacity: true)
            windowEnd = now + .seconds(1)
        }
        guard handshakes[address, default: 0] < limit else { return false }
        handshakes[address, default: 0] += 1
        return true
    }
}
