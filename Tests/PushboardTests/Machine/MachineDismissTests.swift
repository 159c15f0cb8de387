import Testing

@testable import Pushboard

@Suite("Machine: dismiss")
struct MachineDismissTests {
    private func failed() -> MachineWorld {
        let world = MachineWorld()
        world.action = .fails(after: 100)
        world.press()
        world.advance(to: 1000)
        world.action = .returns(after: 100)
        return world
    }

    @Test("Dismiss ends the hold of the outcome that is shown, for everybody, once")
    func dismiss() {
        let world = failed()
        #expect(world.answer(world.dismiss("r1", by: .ben)) == "ok")
        #expect(world.button().phase == .idle)
        #expect(world.answer(world.dismiss("r1", by: .ann)) == "rejected stale r1")
        #expect(world.answer(world.dismiss("r9")) == "rejected stale r1")
    }

    @Test("A success can be dismissed too; a running or settling run cannot")
    func dismissable() {
        let world = MachineWorld()
        world.action = .returns(after: 200)
        world.press()
        #expect(world.answer(world.dismiss("r1")) == "rejected stale")
        world.advance(to: 300)
        #expect(world.button().isSettling)
        #expect(world.answer(world.dismiss("r1")) == "rejected stale r1")
        world.advance(to: 500)
        #expect(world.answer(world.dismiss("r1")) == "ok")
        #expect(world.timeline().hasSuffix("450 success, 500 idle"))
    }

    @Test("B83 a failure that a newer one has replaced cannot be dismissed by its old name")
    func dismissReplaced() {
        let world = failed()
        world.action = .fails(after: 100)
        world.press()
        world.advance(to: 2000)
        #expect(world.answer(world.dismiss("r1", by: .ann)) == "rejected stale r2")
        #expect(world.button().phase == .failure)
    }
}
