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
        "cancelled orphaned", "idle", "pending", "spinning", "settling", "success", "failure", "stuck",
    ]

    /// PUSHBOARD_SEED=N repeats one sequence, PUSHBOARD_STEPS=N changes their length.
    private static var seeds: [UInt64] { setting("PUSHBOARD_SEED").map { [UInt64($0)] } ?? Array(1...4) }

    @Test("I1–I12 hold over long sequences on several buttons, and all clients end with the same", arguments: seeds)
    func sequence(_ seed: UInt64) {
        let steps = Self.setting("PUSHBOARD_STEPS") ?? 8000
        var chaos = MachineChaos(seed: seed)
        chaos.run(steps: steps)
        #expect(chaos.failure == nil, "again with PUSHBOARD_SEED=\(seed) PUSHBOARD_STEPS=\(steps)")
        #expect(Self.expected.subtracting(chaos.met) == [], "the sequence is too tame to mean something")
        #expect(chaos.rig.auditor.starts > steps / 100)
    }
}
