import Testing

@testable import Pushboard

@Suite("Deadline queue")
struct DeadlineQueueTests {
    private func id(_ index: Int) -> ItemID { ItemID("b\(index)")! }

    @Test("The earliest comes first, and only when it is due")
    func order() {
        var queue = DeadlineQueue()
        #expect(queue.next == nil && queue.popDue(at: .ms(1_000)) == nil)
        queue.set(id(1), .ms(30))
        queue.set(id(2), .ms(10))
        #expect(queue.next == .ms(10))
        #expect(queue.popDue(at: .ms(9)) == nil)
        #expect(queue.popDue(at: .ms(10)) == id(2))
        #expect(queue.popDue(at: .ms(10)) == nil)
        #expect(queue.next == .ms(30))
    }

    @Test("A deadline that was changed or cleared is not due any more")
    func change() {
        var queue = DeadlineQueue()
        queue.set(id(1), .ms(10))
        queue.set(id(1), .ms(20))
        #expect(queue.popDue(at: .ms(15)) == nil)
        queue.set(id(1), .ms(5))
        #expect(queue.next == .ms(5))
        queue.set(id(1), nil)
        #expect(queue.next == nil && queue.popDue(at: .ms(100)) == nil)
        // Back to a time that an outdated entry names.
        queue.set(id(1), .ms(20))
        #expect(queue.popDue(at: .ms(20)) == id(1))
        #expect(queue.popDue(at: .ms(20)) == nil)
    }

    @Test("Whatever is set in whatever order, it agrees with a sorted list", arguments: 1...15 as ClosedRange<UInt64>)
    func oracle(seed: UInt64) {
        var lots = SeededGenerator(seed: seed)
        var queue = DeadlineQueue()
        var oracle: [ItemID: Instant] = [:]
        var now = 0
        for _ in 0..<3_000 {
            switch Int.random(in: 0..<10, using: &lots) {
            case 0..<7:
                let button = id(Int.random(in: 0..<20, using: &lots))
                let due: Instant? =
                    Int.random(in: 0..<5, using: &lots) == 0 ? nil : .ms(now + Int.random(in: -5...50, using: &lots))
                queue.set(button, due)
                oracle[button] = due
            case 7:
                now += Int.random(in: 0...20, using: &lots)
            default:
                let due = oracle.filter { $0.value <= .ms(now) }
                let first = due.values.min()
                let popped = queue.popDue(at: .ms(now))
                #expect(popped.flatMap { due[$0] } == first)
                if let popped { oracle[popped] = nil }
            }
            #expect(queue.next == oracle.values.min())
        }
    }
}
