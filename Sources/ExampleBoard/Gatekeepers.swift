import Pushboard

/// Who may start, and when: groups, limits, second thoughts and second chances.
extension ExampleBoard {
    static var gatekeepers: Section {
        Section("All in good time") {
            AsyncButton("Back up", icon: "database") { try await pause(.seconds(2)) }
                .group("database")
                .policy(.queue())
                .description("Never while the database is restored; presses wait.")
            AsyncButton("Restore", icon: "database") { try await pause(.seconds(2)) }
                .group("database")
                .description("Never while the database is backed up.")
            AsyncButton("Ring twice", icon: "bell") { try await pause(.milliseconds(400)) }
                .rateLimit(2, per: .seconds(20))
                .description("Twice in twenty seconds, over all who press.")
            AsyncButton("Send letter", icon: "mail") { try await pause(.seconds(1)) }
                .undo(for: .seconds(5))
                .description("Leaves after five seconds, unless it is taken back.")
            AsyncButton("Stubborn upload", icon: "upload") { run in
                try await pause(.milliseconds(600))
                if run.attempt < 3 { throw ExampleError("The other side hung up.") }
            }
            .retry(attempts: 3)
            .description("Fails twice and tries again by itself.")
        }
    }
}
