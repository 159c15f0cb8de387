import ExampleBoard
import Glibc
import Pushboard
import PushboardServer

/// The `pushboard` executable.
@main
enum PushboardCommand {
    static func main() async {
        do {
            switch try Invocation(CommandLine.arguments) {
            case .help(let text): Output.say(text)
            case .example(let arguments): try await serveExample(arguments)
            }
        } catch {
            Output.complain("pushboard: \(error)")
            exit(error is UsageError ? 2 : 1)
        }
    }

    private static func serveExample(_ arguments: ServeArguments) async throws {
        let board = ExampleBoard.make(limits: arguments.limits)
        try await board.serve(arguments.options) { addresses in
            for address in addresses { Output.announce(address) }
            if arguments.options.allowsUnauthenticated {
                Output.complain(
                    "pushboard: WARNING: whoever can connect may press every button (--allow-unauthenticated)")
            }
        }
    }
}

extension Output {
    fileprivate static func announce(_ address: ServedAddress) {
        say("Pushboard is ready at \(address.url)")
        if let link = address.signIn { say("Sign in with this link, and tell nobody else: \(link)") }
    }
}
