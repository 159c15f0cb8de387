import Testing

@testable import Pushboard

@Suite("Random id")
struct RandomIDTests {
    @Test("As many characters as asked for, of digits and letters that are not mistaken for others")
    func form() {
        for length in [0, 1, 4, 12, 13, 24, 26, 100] {
            let id = RandomID.make(length: length)
            #expect(id.utf8.count == length)
            #expect(id.allSatisfy { "0123456789abcdefghjkmnpqrstvwxyz".contains($0) })
        }
        #expect(RandomID.make().utf8.count == 26)
    }

    @Test("Every place takes every character, and none comes twice")
    func spread() {
        let ids = (0..<3_000).map { _ in Array(RandomID.make()) }
        #expect(Set(ids).count == ids.count)
        // One of 32 is missing at one of 26 places with a chance of 10⁻³⁸.
        for place in 0..<26 { #expect(Set(ids.map { $0[place] }).count == 32) }
    }
}
