import FoundationEssentials
import Testing

@testable import Pushboard

@Suite("Machine: every order of events in a small world")
struct MachineExplorationTests {
    struct SmallWorld: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let times: ButtonTimes

        init(_ name: String, _ adjust: (inout ButtonTimes) -> Void = { _ in }) {
            testDescription = name
            var times = ButtonTimes()
            times.spinnerDelay = .milliseconds(1)
            times.minimumSpinner = .milliseconds(2)
            times.successHold = .milliseconds(2)
            times.cancelGrace = .milliseconds(2)
            times.timeout = nil
            times.doublePress = .milliseconds(2)
            adjust(&times)
            self.times = times
        }
    }

    /// How deep: PUSHBOARD_EXPLORE=DEPTH in the environment, else what takes some seconds. 40 is all there is, two
    /// minutes in release.
    private static var depth: Int {
        ProcessInfo.processInfo.environment["PUSHBOARD_EXPLORE"].flatMap { Int($0) } ?? usualDepth
    }

    #if DEBUG
        private static let usualDepth = 6
    #else
        private static let usualDepth = 9
    #endif

    @Test(
        "I1–I6, I8–I12 hold after every step of every order",
        arguments: [
            SmallWorld("no time limit"),
            SmallWorld("a time limit") { $0.timeout = .milliseconds(3) },
            SmallWorld("no spinner, no grace, failures end") {
                $0.spinnerDelay = .never
                $0.failureHold = .milliseconds(2)
                $0.cancelGrace = .zero
            },
        ])
    func explore(_ world: SmallWorld) async {
        var limits = Limits()
        limits.waitersPerRun = 2
        var explorer = MachineExplorer(MachineRig(buttons: ["b": world.times], limits: limits))
        while explorer.depth < Self.depth, await explorer.deepen() { continue }
        let summary =
            "Explored \(world.testDescription): \(explorer.states) states, \(explorer.transitions) transitions, "
            + "\(explorer.orders) orders of \(explorer.depth) events\(explorer.isComplete ? ", complete" : "")."
        print(summary)
        #expect(explorer.violation == nil)
        #expect(explorer.states > 100)
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rules: [String: ButtonRules]

        init(_ name: String, _ first: Policy, _ second: Policy, inGroup: Bool = true) {
            testDescription = name
            var times = SmallWorld("").times
            (times.timeout, times.cancelGrace) = (.milliseconds(3), .milliseconds(1))
            rules = ["a": first, "b": second].mapValues {
                ButtonRules(times: times, policy: $0, group: inGroup ? "g" : nil)
            }
        }
    }

    private static let short = Policy.queue(Queueing(keeping: .all(max: 1)))

    @Test(
        "B84 I1–I13 hold with two buttons of a group, three clients and a slow store; nobody waits for ever",
        arguments: [
            Pair("queue and reject", short, .reject), Pair("queue and queue", short, short),
            Pair("restart and queue", .restart, short), Pair("parallel and restart", .parallel(max: 2), .restart),
            Pair(
                "last and flush alone", .queue(Queueing(keeping: .last)),
                .queue(Queueing(keeping: .all(max: 1), afterFailure: .flush)), inGroup: false),
        ])
    func pairs(_ pair: Pair) async {
        var explorer = MachineExplorer(MachineRig(rules: pair.rules), moves: MachineMove.pair)
        while explorer.depth < Self.depth, await explorer.deepen() { continue }
        print(
            "Explored \(pair.testDescription): \(explorer.states) states, \(explorer.transitions) transitions, "
                + "\(explorer.orders) orders of \(explorer.depth) events.")
        #expect(explorer.violation == nil)
        #expect(explorer.states > 100)
    }

    @Test("The exploration knows every field of the machine, so that no two situations are mistaken for one")
    func knownFields() {
        let rig = MachineRig(buttons: ["b": ButtonTimes()])
        let record = RunRecord(
            run: RunID("r"), button: ItemID("b")!, root: RunID("r"), attempt: 1, by: "", client: "", key: nil,
            principal: "")
        let values: [Any] = [rig.button("b"), rig.machine, LiveRun(record), BusyPeriod(start: .ms(0))]
        for value in values {
            let name = "\(type(of: value))"
            let fields = Set(Mirror(reflecting: value).children.compactMap(\.label))
            #expect(fields == MachineStateKey.knownFields[name], "of \(name)")
        }
    }
}
