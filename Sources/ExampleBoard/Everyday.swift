import Pushboard

extension ExampleBoard {
    static var everyday: Section {
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

    static var waiting: Section {
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
                .times { $0.cancelGrace = .seconds(3) }
                .description("Pays no attention to Cancel for six seconds.")
            AsyncButton("Time limit", icon: "clock") { try await pause(.seconds(10)) }
                .timeout(.seconds(2))
                .description("Needs ten seconds, gets two.")
            AsyncButton("No way back", icon: .rocket) { try await pause(.seconds(3)) }
                .cancellable(false)
                .description("Cannot be cancelled once it runs.")
        }
    }
}
