import Pushboard

/// What a press of a busy button does: one button for each policy.
extension ExampleBoard {
    static var pressedAgain: Section {
        Section("Pressed again") {
            AsyncButton("Queue up", icon: "list") { try await pause(.seconds(3)) }
                .policy(.queue())
                .description("Each press waits for its turn, up to sixteen.")
            AsyncButton("Keep the first", icon: "list") { try await pause(.seconds(3)) }
                .policy(.queue(Queueing(keeping: .first)))
                .description("One may wait; whoever comes later is refused.")
            AsyncButton("Keep the newest", icon: "list") { try await pause(.seconds(3)) }
                .policy(.queue(Queueing(keeping: .last)))
                .description("One may wait; the newest takes its place.")
            AsyncButton("Assembly line", icon: "gear") {
                try await pause(.milliseconds(1500))
                throw ExampleError("The line stands still, and those who waited were sent home.")
            }
            .policy(.queue(Queueing(keeping: .all(max: 2), afterFailure: .flush)))
            .description("Two may wait, until a run fails. Each does.")
            AsyncButton("Start over", icon: .refresh) { try await pause(.seconds(3)) }
                .policy(.restart)
                .description("A press stops the run under way and begins again.")
            AsyncButton("Three at once", icon: "play") { try await pause(.seconds(3)) }
                .policy(.parallel(max: 3))
                .description("Up to three runs side by side.")
        }
    }
}
