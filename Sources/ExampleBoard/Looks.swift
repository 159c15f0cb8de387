import Pushboard

extension ExampleBoard {
    static var looks: Section {
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
}
