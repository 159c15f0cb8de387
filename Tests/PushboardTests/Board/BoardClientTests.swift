import TestSupport
import Testing

@testable import Pushboard

@Suite("Board: its clients")
struct BoardClientTests {
    private func rig(limits: Limits = Limits()) -> BoardRig {
        BoardRig(limits: limits) {
            AsyncButton("a") { () in }
            AsyncButton("b") { try await Gate().pass() }
        }
    }

    @Test("hello names the board's life, the caller and the limits")
    func hello() throws {
        var limits = Limits()
        limits.messageBytes = 10
        limits.pressesPerSecond = 11
        let rig = rig(limits: limits)
        let hello = try JSONValue(rig.turn { $0.hello(to: Client.ben.caller, assets: "hash") })
        #expect(hello["epoch"] == .text("epoch") && hello["log"] == .text("epoch") && hello["durable"] == .bool(false))
        #expect(hello["client"] == .text("c2") && hello["user"]?["name"] == .text("ben"))
        #expect(hello["assets"] == .text("hash") && hello["time"] == .integer(1_700_000_000_000))
        #expect(hello["limits"] == .object(["messageBytes": .integer(10), "pressesPerSecond": .integer(11)]))
    }

    @Test(
        "Only a position of this life that can exist is resumed from",
        arguments: [
            ("epoch", 2, true), ("epoch", 0, true), ("epoch", 3, false), ("epoch", -1, false), ("epoch", .max, false),
            ("epoch", .min, false), ("other", 2, false), (nil, 2, false), ("epoch", nil, false), (nil, nil, false),
            ("", 2, false),
        ] as [(String?, Int?, Bool)])
    func resume(epoch: String?, seq: Int?, resumed: Bool) throws {
        let rig = rig()
        let part = try JSONValue(
            rig.turn { board in
                let snapshot = board.snapshot(epoch: epoch, seq: seq)
                return board.part(of: snapshot).frame.bytes
            })
        #expect(part["resumed"] == .bool(resumed))
        #expect(part.buttonIDs == (resumed && seq == 2 ? [] : ["a", "b"]))
    }

    @Test(
        "A subscription starts where it was asked to, or at the oldest event that is kept, with a gap",
        arguments: [
            (nil, nil, 20, false), (nil, 18, 18, false), ("epoch", 18, 18, false), ("epoch", 20, 20, false),
            ("epoch", 16, 16, false), ("epoch", nil, 16, false), ("epoch", 15, 16, true), ("epoch", 21, 16, true),
            ("epoch", -1, 16, true), ("epoch", .max, 16, true), ("epoch", .min, 16, true), ("other", 18, 16, true),
            ("other", nil, 16, true),
        ] as [(String?, Int?, Int, Bool)])
    func subscription(log: String?, after: Int?, start: Int, gap: Bool) async throws {
        var limits = Limits()
        limits.runEvents = 4
        let rig = rig(limits: limits)
        for run in 1...10 {
            rig.press("a")
            #expect(await rig.turns { rig.log.contains("run r\(run) ended succeeded → 1") })
        }
        #expect(rig.turn { $0.newestRunEvent } == 20)
        let (from, isGap) = rig.turn { $0.startOfSubscription(log: log, after: after) }
        #expect(from == start && isGap == gap)
    }

    @Test("Run events are read one after the other, until there is none, or it was kept too briefly")
    func runEvents() async throws {
        var limits = Limits()
        limits.runEvents = 1
        let rig = rig(limits: limits)
        for run in 1...9 {
            rig.press("a")
            #expect(await rig.turns { rig.log.contains("run r\(run) ended succeeded → 1") })
        }
        func lookup(_ number: Int) throws -> String {
            switch rig.turn({ $0.runEvent(after: number) }) {
            case .frame(let bytes): "\(try JSONValue(bytes)["event"]?.int ?? 0)"
            case .caughtUp: "caught up"
            case .forgotten: "forgotten"
            }
        }
        #expect(try lookup(17) == "18" && lookup(18) == "caught up" && lookup(0) == "forgotten")
    }

    @Test("Run events go to the presser, unless it does not want them, and to those who send the same key")
    func watchers() async {
        let rig = rig()
        rig.press(by: .ann, key: "k", watch: false)
        #expect(rig.transport.watchers == [])
        rig.press(by: .ben, key: "k")
        rig.press(by: .cat, key: "k", watch: false)
        rig.send(.cancel(nil))
        #expect(rig.transport.watchers == [Client.ben.connection])
    }

    @Test("Those who have left are forgotten, however many come back to watch the same run")
    func manyWatchers() async {
        let rig = rig()
        rig.press(key: "k")
        rig.transport.setOpen([Client.ann.connection])
        for number in 100..<5_000 as Range<UInt64> {
            let caller = Caller(connection: ConnectionID(number), client: "c", name: "n")
            let press = Request.Verb.press(PressDetails(key: "k"))
            rig.turn { $0.receive(Request(id: nil, button: "b", verb: press), from: caller) }
        }
        rig.send(.cancel(nil))
        #expect(rig.transport.watchers.contains(Client.ann.connection))
        #expect(rig.transport.watchers.count < 128)
    }

    @Test("A refusal carries the state of its button, other answers do not")
    func state() throws {
        let rig = rig()
        rig.press("b")
        rig.press("b", by: .ben)
        let acks = rig.transport.frames.filter { $0["type"] == .text("ack") }
        #expect(acks.count == 2 && acks[0]["button"] == nil)
        #expect(acks[1]["button"]?["phase"] == .text("pending") && acks[1]["button"]?["id"] == .text("b"))
    }
}
