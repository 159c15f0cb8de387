import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import Pushboard

@Suite("Board: actions")
struct BoardActionTests {
    struct Secret: Error { let password = "hunter2" }
    struct Spoken: LocalizedError { var errorDescription: String? }

    /// Presses a button whose action throws `error` and gives what its item says of the end.
    private func item(throwing error: any Error) async throws -> JSONValue {
        let rig = BoardRig { AsyncButton("b") { (_: Run) in throw error } }
        rig.press()
        #expect(await rig.turns { rig.log.contains { $0.hasPrefix("run r1 ended") } })
        rig.turn { _ in }
        return try #require(rig.transport.frames.last?["buttons"]?.elements.first)
    }

    @Test("B38 an unknown error is told by its type's name and never by its values")
    func unknownType() async throws {
        let item = try await item(throwing: Secret())
        #expect(item["phase"] == .text("failure"))
        #expect(item["error"]?["code"] == .text("thrown") && item["error"]?["message"] == .text("Secret"))
    }

    @Test("An error that can speak to people does so; one that has nothing to say is told by its type's name")
    func localized() async throws {
        let spoken = try await item(throwing: Spoken(errorDescription: "The shop is closed."))
        #expect(spoken["error"]?["message"] == .text("The shop is closed."))
        for silent in [Spoken(errorDescription: nil), Spoken(errorDescription: "")] {
            #expect(try await item(throwing: silent)["error"]?["message"] == .text("Spoken"))
        }
    }

    @Test("B37 a message of 10 kB is capped, markup stays text")
    func longMessage() async throws {
        let item = try await item(throwing: Spoken(errorDescription: "<b>" + String(repeating: "ä", count: 5_000)))
        let message = try #require(item["error"]?["message"]?.string)
        #expect(message.hasPrefix("<b>ä") && message.hasSuffix("ä…") && message.utf8.count <= 4096)
    }

    @Test("An action that throws the wire's own error says what it says")
    func runError() async throws {
        let item = try await item(throwing: RunError(code: "internal", message: "m", retryable: false))
        #expect(item["error"]?["code"] == .text("internal") && item["retryable"] == .bool(false))
    }

    @Test("B33 an action that throws CancellationError unasked is cancelled, not failed")
    func cancellation() async throws {
        let item = try await item(throwing: CancellationError())
        #expect(item["phase"] == .text("idle") && item["last"]?["outcome"] == .text("cancelled"))
        #expect(item["failures"] == .integer(0) && item["error"] == nil)
    }

    @Test("B30 a cancel reaches the action, which sees it")
    func cancel() async {
        let seen = Mutex(false)
        let rig = BoardRig {
            AsyncButton("b") { run in
                try? await Gate().pass()
                seen.withLock { $0 = run.isCancelled }
                throw CancellationError()
            }
        }
        rig.press()
        rig.send(.cancel(nil), by: .ben)
        // The action may come back at any time from here on, so only the order is certain.
        #expect(rig.log.prefix(6).suffix(3) == ["2 ack ok", "run r1 cancelling → 1", "b pending"])
        #expect(await rig.turns { rig.log.last == "b idle" })
        #expect(seen.withLock { $0 })
    }

    @Test("The action is given its run: id and attempt, which a retry counts on")
    func handle() async {
        let attempts = Mutex<[String]>([])
        let rig = BoardRig {
            AsyncButton("b") { run in
                attempts.withLock { $0.append("\(run.id) \(run.attempt)") }
                throw Secret()
            }
        }
        rig.press()
        #expect(await rig.turns { rig.log.last == "b failure" })
        rig.send(.retry(RunID("r1"), PressDetails()))
        #expect(await rig.turns { rig.log.contains("run r2 ended failed thrown → 1") })
        #expect(attempts.withLock { $0 } == ["r1 1", "r2 2"])
    }

    @Test("What an action says last arrives before its end")
    func lastReport() async {
        // Many times, because an end that overtakes the report would do so only now and then.
        for _ in 0..<50 {
            let rig = BoardRig { AsyncButton("b") { run in run.progress(completed: 4, total: 4) } }
            rig.press()
            #expect(await rig.turns { rig.log.last == "b success" })
            #expect(
                rig.log == [
                    "1 ack accepted r1 volatile", "run r1 started → 1", "b pending", "b pending 4",
                    "run r1 ended succeeded → 1", "b success",
                ])
        }
    }

    @Test("A thousand words of an action are few jobs and at most ten states a second, the newest at last")
    func mailbox() async {
        let gate = Gate()
        let rig = BoardRig {
            AsyncButton("b") { run in
                for step in 1...1000 { run.progress(completed: step, total: 1000) }
                try await gate.pass()
            }
        }
        rig.press()
        #expect(await rig.turns { rig.log.contains { $0.hasPrefix("b pending ") } })
        // At a standing clock one state goes out at once; the newest follows when its time has come.
        #expect(
            await rig.turns {
                if rig.log.last != "b pending 1000" { rig.advance(1) }
                return rig.log.last == "b pending 1000" || rig.log.last == "b spinning 1000"
            })
        #expect(rig.log.filter { $0.contains("pending ") || $0.contains("spinning ") }.count <= 3, "\(rig.log)")
        gate.open()
    }

    @Test("B65 what an action says after its end is ignored")
    func late() async {
        let kept = Mutex<Run?>(nil)
        let rig = BoardRig { AsyncButton("b") { run in kept.withLock { $0 = run } } }
        rig.press()
        #expect(await rig.turns { rig.log.last == "b success" })
        let before = rig.log
        kept.withLock { $0 }?.progress(0.5)
        #expect(await eventually { rig.host.waitingJobs == 1 })
        rig.turn { _ in }
        #expect(rig.host.waitingJobs == 0 && rig.log == before)
    }
}
