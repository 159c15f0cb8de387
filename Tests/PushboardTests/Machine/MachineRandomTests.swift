import FoundationEssentials
import Testing

@testable import Pushboard

@Suite("Machine: long random sequences")
struct MachineRandomTests {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// What every sequence of some length meets.
    private static let expected: Set<String> = [
        "accepted", "duplicate", "ok", "unknown_button", "unknown_key", "bad_arguments", "key_reused",
        "key_space_full", "disabled", "double_press", "rate_limited", "orphan_running", "busy", "stale",
        "not_retryable", "not_cancellable", "succeeded", "succeeded late", "failed", "failed orphaned", "cancelled",
        "cancelled orphaned", "idle", "pending", "spinning",
        "settling", "success", "failure", "stuck",
    ]

    private static let expectedOfWaiting: Set<String> = [
        "accepted", "held", "duplicate", "ok", "orphan_running", "busy", "group_busy", "queue_full", "rate_limited",
        "stale", "succeeded", "failed", "failed orphaned", "cancelled", "superseded", "idle", "pending", "spinning",
        "settling", "success", "failure",
    ]

    /// PUSHBOARD_SEED=N repeats one sequence, PUSHBOARD_STEPS=N changes their length.
    private static var seeds: [UInt64] { setting("PUSHBOARD_SEED").map { [UInt64($0)] } ?? [1, 2] }

    private static let steps = setting("PUSHBOARD_STEPS") ?? 5000

    @Test("I1–I12 hold over long sequences on several buttons, and all clients end with the same", arguments: seeds)
    func sequence(_ seed: UInt64) async {
        await check(MachineChaos(seed: seed, buttons: MachineChaos.refusing), Self.expected, seed)
    }

    @Test("I1–I13 hold where presses wait, in groups and alone", arguments: seeds)
    func waiting(_ seed: UInt64) async {
        await check(MachineChaos(seed: seed, buttons: MachineChaos.waiting), Self.expectedOfWaiting, seed)
    }

    private func check(_ sequence: MachineChaos, _ expected: Set<String>, _ seed: UInt64) async {
        var chaos = sequence
        await chaos.run(steps: Self.steps)
        #expect(chaos.failure == nil, "again with PUSHBOARD_SEED=\(seed) PUSHBOARD_STEPS=\(Self.steps)")
        #expect(expected.subtracting(chaos.met) == [], "the sequence is too tame to mean something")
        #expect(chaos.rig.auditor.starts > Self.steps / 100)
    }
}
