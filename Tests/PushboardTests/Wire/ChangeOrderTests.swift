import Testing

@testable import Pushboard

@Suite("Change order")
struct ChangeOrderTests {
    private func id(_ index: Int) -> ItemID { ItemID("b\(index)")! }

    @Test("Every change takes the next number; an item stands at its last")
    func numbers() {
        var order = ChangeOrder()
        #expect(order.head == 0 && order[id(0)] == nil && Array(order.items(after: 0)).isEmpty)
        for index in [0, 1, 0] { order.touch(id(index)) }
        #expect(order.head == 3 && order[id(0)] == 3 && order[id(1)] == 2)
        #expect(order.items(after: 0).map(\.item) == [id(1), id(0)])
        #expect(order.items(after: 2).map(\.seq) == [3])
        #expect(Array(order.items(after: 3)).isEmpty)
    }

    @Test(
        "Whatever changed, each item comes once, in the order of its last change",
        arguments: 1...20 as ClosedRange<UInt64>)
    func oracle(seed: UInt64) {
        var lots = SeededGenerator(seed: seed)
        var order = ChangeOrder()
        var oracle: [ItemID: Int] = [:]
        for change in 1...2_000 {
            let item = id(Int.random(in: 0..<40, using: &lots))
            order.touch(item)
            oracle[item] = change
            guard change % 50 == 0 else { continue }
            let sent = Int.random(in: 0...change, using: &lots)
            let expected = oracle.filter { $0.value > sent }.sorted { $0.value < $1.value }
            #expect(order.items(after: sent).map(\.item) == expected.map(\.key))
            #expect(order.items(after: sent).map(\.seq) == expected.map(\.value))
        }
    }
}
