import Testing

@testable import Pushboard

@Suite("Button on the wire")
struct ButtonItemTests {
    private static let always: Set = [
        "id", "rev", "seq", "label", "role", "size", "width", "style", "progressPlacement", "successStyle",
        "failureStyle", "arguments", "policy", "phase", "enabled", "settling", "overdue", "cancellable", "retryable",
        "failures", "removed", "queued", "queue",
    ]
    private static let runAlways: Set = [
        "run", "attempt", "by", "client", "elapsedMs", "cancelling", "killing", "stuck",
    ]
    private let id = ItemID("b")!

    private func rig(_ button: AsyncButton = AsyncButton("B") { (_: Run) in }) -> FeedRig { FeedRig([button]) }

    @Test("idle: what is always there, with its defaults")
    func idle() throws {
        let rig = rig()
        let item = try rig.item(id)
        #expect(item.names == Self.always)
        #expect(
            item
                == .object([
                    "id": .text("b"), "rev": .integer(1), "seq": .integer(1), "label": .text("B"),
                    "role": .text("normal"), "size": .text("regular"), "width": .text("fit"),
                    "style": .text("bordered"), "progressPlacement": .text("leading"), "successStyle": .text("check"),
                    "failureStyle": .text("shake"), "arguments": .list([]), "policy": .text("reject"),
                    "phase": .text("idle"), "enabled": .bool(true), "settling": .bool(false), "overdue": .bool(false),
                    "cancellable": .bool(true), "retryable": .bool(false), "failures": .integer(0),
                    "removed": .bool(false), "queued": .integer(0), "queue": .list([]),
                ]))
    }

    @Test("Everything that can be configured is on the wire")
    func configured() throws {
        let button = AsyncButton(icon: .star, label: "B", role: .destructive, style: .plain) { (_: Run) in }
            .look {
                $0.busyLabel = "busy"
                $0.progressPlacement = .none
                $0.successStyle = .flash
                $0.failureStyle = .none
            }
            .description("about").confirm("sure?").controlSize(.large).width(.fill).tint("#12abEF")
            .timeout(.milliseconds(1500)).cancellable(false).disabled(because: "closed")
        let rig = rig(button)
        let item = try rig.item(id)
        #expect(
            item.names
                == Self.always.union([
                    "busyLabel", "description", "icon", "iconOnly", "tint", "confirm", "timeoutMs", "disabledReason",
                ]))
        let expected: [String: JSONValue] = [
            "busyLabel": .text("busy"), "description": .text("about"), "icon": .text("star"), "iconOnly": .bool(true),
            "tint": .text("#12abEF"), "confirm": .text("sure?"), "timeoutMs": .integer(1500),
            "disabledReason": .text("closed"), "enabled": .bool(false), "cancellable": .bool(false),
            "role": .text("destructive"), "style": .text("plain"), "size": .text("large"), "width": .text("fill"),
            "progressPlacement": .text("none"), "successStyle": .text("flash"), "failureStyle": .text("none"),
        ]
        for (name, value) in expected { #expect(item[name] == value, "\(name)") }
    }

    @Test("pending, spinning, settling, success, idle again")
    func success() throws {
        let rig = rig()
        let run = try #require(rig.press(id))
        _ = rig.flush()
        rig.advance(100)
        let pending = try rig.item(id)
        #expect(pending["phase"] == .text("pending") && pending.names == Self.always.union(["run"]))
        #expect(pending["run"]?.names == Self.runAlways)
        #expect(pending["run"]?["elapsedMs"] == .integer(100) && pending["run"]?["run"] == .text("r1"))
        #expect(pending["run"]?["by"] == .text("ann") && pending["run"]?["client"] == .text("c1"))
        rig.advance(50)
        _ = rig.flush()
        #expect(try rig.item(id)["phase"] == .text("spinning"))
        #expect(try rig.item(id)["settling"] == .bool(false))
        rig.advance(10)
        rig.end(run)
        _ = rig.flush()
        let settling = try rig.item(id)
        #expect(settling["phase"] == .text("spinning") && settling["settling"] == .bool(true))
        #expect(settling.names == Self.always.union(["last"]), "its run is over")
        rig.advance(290)
        _ = rig.flush()
        let success = try rig.item(id)
        #expect(success["phase"] == .text("success") && success["holdLeftMs"] == .integer(2000))
        #expect(success.names == Self.always.union(["last", "holdLeftMs"]))
        #expect(
            success["last"]
                == .object([
                    "run": .text("r1"), "outcome": .text("succeeded"), "at": .integer(160), "durationMs": .integer(160),
                    "by": .text("ann"),
                ]))
        rig.advance(2000)
        _ = rig.flush()
        #expect(try rig.item(id)["phase"] == .text("idle"))
    }

    @Test("failure: its error, how often, and that it can be retried")
    func failure() throws {
        let rig = rig()
        let run = try #require(rig.press(id))
        rig.end(run, .threw(RunError(code: "thrown", message: "<b>no</b>")))
        _ = rig.flush()
        let item = try rig.item(id)
        #expect(
            item["phase"] == .text("failure") && item["failures"] == .integer(1) && item["retryable"] == .bool(true))
        #expect(item.names == Self.always.union(["last", "error"]), "it holds for ever")
        #expect(
            item["error"]
                == .object([
                    "code": .text("thrown"), "message": .text("<b>no</b>"), "run": .text("r1"),
                    "retryable": .bool(true),
                    "needs": .list([]),
                ]))
    }

    @Test("unknown after the server gave up, a late success, and a stuck run")
    func cancelled() throws {
        let rig = rig()
        let run = try #require(rig.press(id))
        rig.send(
            .request(Request(id: nil, button: "b", verb: .cancel(nil)), from: Client.ben.caller, fresh: RunID("x")))
        _ = rig.flush()
        #expect(try rig.item(id)["run"]?["cancelling"] == .bool(true))
        rig.advance(5000)
        _ = rig.flush()
        #expect(try rig.item(id)["run"]?["stuck"] == .bool(true))
        rig.end(run)
        _ = rig.flush()
        #expect(try rig.item(id)["last"]?["late"] == .bool(true))
        _ = rig.press(id)
        rig.send(.shutDown)
        rig.send(.shutDown)
        _ = rig.flush()
        rig.advance(60_000)
        _ = rig.flush()
        let unknown = try rig.item(id)
        #expect(unknown["phase"] == .text("unknown") && unknown["error"]?["code"] == .text("interrupted"))
    }

    @Test("Progress in shares and in steps, with a note")
    func progress() throws {
        let rig = rig()
        let run = try #require(rig.press(id))
        func report(_ report: RunReport) throws -> JSONValue? {
            rig.advance(100)
            rig.send(.reported(run, report))
            _ = rig.flush()
            return try rig.item(id)["run"]
        }
        let share = try report(RunReport(progress: .fraction(0.25), note: "n"))
        #expect(share?["progress"] == .number(0.25) && share?["note"] == .text("n") && share?["completed"] == nil)
        let steps = try report(RunReport(progress: .steps(completed: 1, total: 4)))
        #expect(
            steps?["progress"] == .number(0.25) && steps?["completed"] == .integer(1) && steps?["total"] == .integer(4))
        let open = try report(RunReport(progress: .steps(completed: 0, total: 0)))
        #expect(open?["progress"] == nil && open?["total"] == .integer(0))
        #expect(try report(RunReport())?.names == Self.runAlways)
    }

    @Test("A run that takes too long is marked")
    func overdue() throws {
        let rig = rig()
        _ = rig.press(id)
        rig.advance(599_999)
        _ = rig.flush()
        #expect(try rig.item(id)["overdue"] == .bool(false))
        rig.advance(1)
        _ = rig.flush()
        #expect(try rig.item(id)["overdue"] == .bool(true))
    }

    @Test("A reason of any length is capped, so that the item fits into a message")
    func longReason() throws {
        let rig = rig()
        rig.send(.setAvailability(id, .disabled(because: String(repeating: "ä", count: 100_000))))
        _ = rig.flush()
        let reason = try #require(try rig.item(id)["disabledReason"]?.string)
        #expect(reason.utf8.count <= 1024 && reason.hasSuffix("ä…"))
    }
}
