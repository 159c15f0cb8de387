import FoundationEssentials
import Testing

@testable import Pushboard

@Suite("Machine: how an action came back")
struct MachineActionResultTests {
    private struct Plain: Error { let secret = "hunter2" }
    private enum Kind: Error { case first }
    private struct Described: LocalizedError {
        let errorDescription: String?
    }

    private func result(of action: @escaping Action) async -> ActionResult {
        let record = RunRecord(
            run: RunID("r1"), button: ItemID("b")!, root: RunID("r1"), attempt: 1, by: "ann", client: "c1", key: nil,
            principal: "")
        return await ActionResult(of: action, Run(record) { _ in })
    }

    private func thrown(_ message: String) -> ActionResult { .threw(RunError(code: "thrown", message: message)) }

    @Test("It returns, or throws CancellationError")
    func withoutError() async {
        #expect(await result { _ in } == .returned)
        #expect(await result { _ in throw CancellationError() } == .cancelled)
    }

    @Test("B38 an error of any type: code thrown and the type's name, never its values")
    func anyType() async {
        #expect(await result { _ in throw Plain() } == thrown("Plain"))
        #expect(await result { _ in throw Kind.first } == thrown("Kind"))
    }

    @Test("B37 an error's own words, capped; without any, the type's name")
    func described() async {
        let html = "<script>alert(1)</script>"
        #expect(await result { _ in throw Described(errorDescription: html) } == thrown(html))
        #expect(await result { _ in throw Described(errorDescription: nil) } == thrown("Described"))
        #expect(await result { _ in throw Described(errorDescription: "") } == thrown("Described"))
        let long = await result { _ in throw Described(errorDescription: String(repeating: "x", count: 10_240)) }
        guard case .threw(let error) = long else { return #expect(Bool(false), "it threw") }
        #expect(error.message.utf8.count <= 4096 && error.message.hasSuffix("…"))
    }

    @Test("A RunError goes through as it is")
    func runError() async {
        let error = RunError(code: "thrown", message: "Not again.", retryable: false)
        #expect(await result { _ in throw error } == .threw(error))
    }
}
