public import Pushboard

/// A board that shows every button of the design; nothing on it touches the machine it runs on.
public enum ExampleBoard {
    /// - Parameter limits: for `--limit` and for tests.
    public static func make(limits: Limits = Limits()) -> Board {
        Board("Example board", limits: limits) {
            everyday
            waiting
            failing
            looks
            Section("Machinery") {
                AsyncButton("noop", icon: "gear") { (_: Run) in }
                    .description("Does nothing and holds nothing. Benchmarks press it.")
                    .times {
                        $0.spinnerDelay = .never
                        $0.minimumSpinner = .zero
                        $0.successHold = .milliseconds(0)
                        $0.doublePress = .zero
                    }
            }
        }
    }

    private static var everyday: Section {
        Section("Everyday") {
            AsyncButton("Like", icon: .thumbsUp) { try await pause(.milliseconds(400)) }
            AsyncButton("Quick", icon: "lightning") { try await pause(.milliseconds(50)) }
                .description("Too fast for a spinner.")
            AsyncButton("Save draft", icon: "bookmark") { try await pause(.milliseconds(900)) }
                .look { $0.busyLabel = "Saving…" }
            AsyncButton("Star", icon: .star) { try await pause(.milliseconds(700)) }
                .successHold(.forever)
                .tint("#b7791f")
            AsyncButton("Submit", icon: .paperPlane) { try await pause(.seconds(2)) }
                .look { $0.successStyle = .morph }
                .width(.fill)
        }
    }

    private static var waiting: Section {
        Section("Worth waiting for") {
            AsyncButton("Place order", icon: "cart", style: .prominent) { run in
                for step in 1...4 {
                    run.note("Step \(step) of 4")
                    try await pause(.milliseconds(800))
                    run.progress(completed: step, total: 4)
                }
            }
            AsyncButton("Heavy update", icon: .refresh) { run in
                for count in 1...30 {
                    try await pause(.milliseconds(100))
                    run.note("\(count) of 30 records rebuilt")
                    run.progress(Double(count) / 30)
                }
            }
            .description("Can be cancelled midway.")
            AsyncButton("Slow to stop", icon: "clock") { try await stubbornPause() }
                .times { $0.cancelGrace = .seconds(1) }
                .description("Pays no attention to Cancel for six seconds.")
            AsyncButton("Time limit", icon: "clock") { try await pause(.seconds(10)) }
                .timeout(.seconds(2))
                .description("Needs ten seconds, gets two.")
            AsyncButton("No way back", icon: .rocket) { try await pause(.seconds(3)) }
                .cancellable(false)
                .description("Cannot be cancelled once it runs.")
        }
    }

    private static var failing: Section {
        Section("When it goes wrong") {
            AsyncButton("Flaky", icon: "cloud") { run in
                try await pause(.milliseconds(600))
                if run.attempt == 1 { throw ExampleError("The first attempt always fails. Try again.") }
            }
            AsyncButton("Always fails", icon: "warning") { _ in
                try await pause(.milliseconds(600))
                throw ExampleError(longText)
            }
            AsyncButton("Delete everything", icon: .trash, role: .destructive) { try await pause(.seconds(1)) }
                .confirm("Delete everything? (It deletes nothing.)")
            AsyncButton("Sold out", icon: "bag") { try await pause(.milliseconds(400)) }
                .disabled(because: "Sold out until Monday")
        }
    }

    private static var looks: Section {
        Section("Looks") {
            AsyncButton("Silent", icon: "bell") { try await pause(.seconds(2)) }
                .spinnerDelay(.never)
                .description("Busy without a spinner.")
            AsyncButton(icon: "heart", label: "Favourite") { _ in try await pause(.milliseconds(500)) }
            AsyncButton("Small and plain", style: .plain) { try await pause(.milliseconds(800)) }
                .controlSize(.small)
            AsyncButton("Spinner over the label") { try await pause(.milliseconds(1500)) }
                .look { $0.progressPlacement = .overlay }
            AsyncButton("Spinner behind the label") { try await pause(.milliseconds(1500)) }
                .look { $0.progressPlacement = .trailing }
            AsyncButton("Launch the rocket", icon: .rocket, style: .prominent) { try await pause(.seconds(3)) }
                .controlSize(.large)
                .width(.fill)
                .tint("green")
        }
    }

    private static let longText = """
        The warehouse did not answer: connection refused by stock-7 after three attempts in 600 ms. This text is long \
        on purpose: it has to wrap without pushing other buttons about, and <b>markup</b> in it has to stay text.
        """
}
