import Pushboard

extension ExampleBoard {
    static var failing: Section {
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

    private static let longText = """
        The warehouse did not answer: connection refused by stock-7 after three attempts in 600 ms. This text is long \
        on purpose: it has to wrap without pushing other buttons about, and <b>markup</b> in it has to stay text.
        """
}
