public import Pushboard

/// A board that shows every button of the design; nothing on it touches the machine it runs on.
public enum ExampleBoard {
    /// - Parameter limits: for `--limit` and for tests.
    public static func make(limits: Limits = Limits()) -> Board {
        Board("Example board", limits: limits) {
            everyday
            waiting
            failing
            pressedAgain
            gatekeepers
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
}
