import Testing

@testable import Pushboard

@Suite("Board plan")
struct BoardPlanTests {
    private func button(_ label: String, id: String? = nil, line: UInt = 1) -> AsyncButton {
        AsyncButton(label, id: id, file: "F.swift", line: line) { (_: Run) in }
    }

    private func problems(_ buttons: AsyncButton...) -> [String] {
        BoardPlan([Section { for button in buttons { button } }]).problems
    }

    @Test("Sections and buttons stand in the order in which they were written, ids from the labels")
    func order() throws {
        let plan = BoardPlan([
            Section("One") {
                button("Place order")
                button("X", id: "y.z_1-2")
            },
            Section("Two") { button("Ärger & Freude!") },
            Section("Empty") {},
        ])
        #expect(plan.problems.isEmpty)
        #expect(plan.order.map(\.rawValue) == ["place-order", "y.z_1-2", "rger-freude"])
        #expect(plan.sections.map(\.title) == ["One", "Two", "Empty"])
        #expect(plan.sections.map(\.items) == [["place-order", "y.z_1-2"], ["rger-freude"], []])
    }

    @Test("An id that is taken names both places")
    func duplicate() {
        let problems = problems(button("Like", line: 3), button("Love", line: 5), button("Other", id: "like", line: 8))
        #expect(problems.count == 1)
        #expect(
            problems[0].contains("F.swift:3") && problems[0].contains("F.swift:8") && problems[0].contains("`like`"))
        #expect(!problems[0].contains("F.swift:5"))
    }

    @Test("Ids that were written badly, or that no label gives", arguments: ["", "A", "a b", "-a", ".a", "ä", "a/b"])
    func badID(id: String) {
        let problems = problems(button("L", id: id, line: 4))
        #expect(problems.count == 1 && problems[0].contains("F.swift:4") && problems[0].contains("`\(id)`"))
    }

    @Test("A label of which nothing is left needs an id", arguments: ["👍", "…", "日本"])
    func underivable(label: String) {
        let problems = problems(button(label, line: 4))
        #expect(problems.count == 1 && problems[0].contains("F.swift:4") && problems[0].contains("`id:`"))
        #expect(self.problems(button(label, id: "x")).isEmpty)
    }

    @Test("A button without a name says nothing to a screen reader", arguments: ["", " ", "\n\t\u{a0}"])
    func noLabel(label: String) {
        #expect(problems(button(label, id: "x")).contains { $0.contains("label is empty") })
        let icon = AsyncButton(icon: .star, label: label, id: "x") { (_: Run) in }
        #expect(problems(icon).contains { $0.contains("label is empty") })
    }

    private static func adjusted(_ change: (inout ButtonTimes) -> Void) -> ButtonTimes {
        var times = ButtonTimes()
        change(&times)
        return times
    }

    @Test(
        "Times that make no sense",
        arguments: [
            ("failureHold", false, adjusted { $0.failureHold = .milliseconds(4999) }),
            ("failureHold", true, adjusted { $0.failureHold = .seconds(5) }),
            ("failureHold", true, adjusted { $0.failureHold = .forever }),
            ("timeout", false, adjusted { $0.timeout = .zero }),
            ("timeout", false, adjusted { $0.timeout = .seconds(-1) }),
            ("timeout", true, adjusted { $0.timeout = .milliseconds(1) }),
        ])
    func oddTimes(name: String, isGood: Bool, times: ButtonTimes) {
        let problems = problems(button("b", line: 6).times { $0 = times })
        #expect(problems.isEmpty == isGood)
        #expect(isGood || problems[0].contains("F.swift:6") && problems[0].contains("`\(name)`"))
    }

    @Test(
        "Tints",
        arguments: [
            ("green", true), ("#12aBcF", true), ("", false), ("#12345", false), ("#1234567", false), ("#12345g", false),
            ("#ＡＡ", false), ("red;x", false), ("Red", false), ("var(--x)", false), ("#", false),
        ])
    func tints(tint: String, isGood: Bool) {
        #expect(problems(button("b").tint(tint)).isEmpty == isGood)
    }

    @Test("Texts of more than 1 KiB would make messages too long")
    func longTexts() {
        let long = String(repeating: "x", count: 1025)
        let fits = String(repeating: "x", count: 1024)
        #expect(problems(button(long, id: "b")).count == 1 && problems(button(fits, id: "b")).isEmpty)
        #expect(problems(button("b").description(long)).count == 1 && problems(button("b").description(fits)).isEmpty)
        #expect(problems(button("b").confirm(long)).count == 1)
        #expect(problems(button("b").look { $0.busyLabel = long }).count == 1)
        #expect(problems(button("b").look { $0.icon = Icon(long) }).count == 1)
    }

    @Test("All problems are told at once when the board is checked, a line each")
    func all() throws {
        let board = Board("T") {
            button("", id: "A", line: 1)
            button("x", line: 2).tint("?")
        }
        let error = #expect(throws: ConfigurationError.self) { try board.check() }
        #expect(error?.problems.count == 2)
        #expect(error?.description.split(separator: "\n").count == 2)
        try Board("T") { button("b") }.check()
        try Board("T") {}.check()
    }

    @Test("Sections and buttons can be listed with if, else, for and optionals")
    func builders() {
        @BoardBuilder func sections(_ isOn: Bool, _ count: Int) -> [Section] {
            button("a")
            if isOn { button("b") }
            Section("S") {
                for number in 0..<count { button("n\(number)") }
                if isOn { button("on") } else { button("off") }
            }
            for number in 0..<count { Section("F\(number)") { button("f\(number)") } }
            if isOn { Section("I") {} } else { button("y") }
            button("z")
        }
        func text(_ sections: [Section]) -> String {
            sections.map { "\($0.title)(\($0.buttons.map(\.label).joined(separator: " ")))" }.joined()
        }
        #expect(text(sections(true, 2)) == "(a b)S(n0 n1 on)F0(f0)F1(f1)I()(z)")
        #expect(text(sections(false, 0)) == "(a)S(off)(y z)")
    }
}

@Suite("Async button")
struct AsyncButtonTests {
    private func run(_ button: AsyncButton) async throws {
        let id = RunID("r")
        let record = RunRecord(
            run: id, button: ItemID("b")!, root: id, attempt: 1, by: "n", client: "c", key: nil, principal: "")
        try await button.action(Run(record) { _ in })
    }

    struct Called: Error {}

    @Test("B29 every initialiser passes everything on")
    func initialisers() async {
        let buttons = [
            AsyncButton("L", id: "i", icon: .star, role: .destructive, style: .plain) { (_: Run) in throw Called() },
            AsyncButton("L", id: "i", icon: .star, role: .destructive, style: .plain) { () in throw Called() },
            AsyncButton(icon: .star, label: "L", id: "i", role: .destructive, style: .plain) { (_: Run) in
                throw Called()
            },
            AsyncButton(icon: .star, label: "L", id: "i", role: .destructive, style: .plain) { () in throw Called() },
        ]
        for button in buttons {
            #expect(button.label == "L" && button.id == "i")
            var look = ButtonLook()
            look.icon = .star
            look.role = .destructive
            look.style = .plain
            #expect(button.look == look && button.times == ButtonTimes() && button.isCancellable)
            #expect("\(button.place)".hasPrefix("PushboardTests/BoardPlanTests.swift:"))
            await #expect(throws: Called.self) { try await run(button) }
        }
        #expect(buttons.map(\.hidesLabel) == [false, false, true, true])
        #expect(Set(buttons.map { "\($0.place)" }).count == 4, "each knows its own line")
    }

    @Test("Every modifier changes its own option and nothing else")
    func modifiers() {
        let plain = AsyncButton("L") { (_: Run) in }
        func look(_ change: (inout ButtonLook) -> Void) -> ButtonLook {
            var look = ButtonLook()
            change(&look)
            return look
        }
        func times(_ change: (inout ButtonTimes) -> Void) -> ButtonTimes {
            var times = ButtonTimes()
            change(&times)
            return times
        }
        #expect(plain.confirm("q").look == look { $0.confirm = "q" })
        #expect(plain.description("d").look == look { $0.description = "d" })
        #expect(plain.controlSize(.small).look == look { $0.size = .small })
        #expect(plain.width(.fill).look == look { $0.width = .fill })
        #expect(plain.tint("red").look == look { $0.tint = "red" })
        #expect(plain.spinnerDelay(.never).times == times { $0.spinnerDelay = .forever })
        #expect(plain.successHold(.forever).times == times { $0.successHold = .forever })
        #expect(plain.timeout(.seconds(3)).times == times { $0.timeout = .seconds(3) })
        #expect(!plain.cancellable(false).isCancellable && plain.isCancellable)
        #expect(plain.disabled(because: "r").availability == .disabled(because: "r"))
        #expect(plain.disabled(because: "r").look == ButtonLook() && plain.availability == .enabled)
    }
}
