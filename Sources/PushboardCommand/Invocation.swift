import Glibc
import Pushboard
import PushboardServer

/// A command line was not understood; one line that says what to do.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// What the command line asks for.
enum Invocation {
    case help(String)
    case example(ServeArguments)

    /// - Throws: `UsageError`
    init(_ arguments: [String]) throws {
        switch arguments.dropFirst().first {
        case "example":
            let parsed = try ServeArguments.parse(Array(arguments.dropFirst()))
            self = parsed.map { .example($0) } ?? .help(Usage.example)
        case "--help", "-h", "help":
            self = .help(Usage.main)
        case nil:
            throw UsageError(
                "say what to do: `pushboard example` serves the example board; `pushboard --help` tells more.")
        case let command?:
            throw UsageError("there is no command `\(command)`; `pushboard --help` lists them.")
        }
    }
}

/// The options of a command that serves a board.
struct ServeArguments {
    var options = ServerOptions(listen: [])
    var limits = Limits()

    static let defaultAddress = "127.0.0.1:8080"

    /// `nil` if help was asked for. `arguments[0]` is the command.
    static func parse(_ arguments: [String]) throws -> ServeArguments? {
        var result = ServeArguments()
        for option in try OptionReader.read(arguments, known: Usage.serveOptions) {
            if option.name == "help" { return nil }
            try result.take(option)
        }
        if result.options.listen.isEmpty { result.options.listen = [defaultAddress] }
        return result
    }

    private mutating func take(_ option: OptionReader.Option) throws {
        switch option.name {
        case "listen": options.listen.append(option.value)
        case "public": options.publicFolder = option.value
        case "base": options.base = option.value
        case "host": options.hosts.append(option.value)
        case "trusted-proxy": options.trustedProxies.append(option.value)
        case "state": options.stateFolder = option.value
        case "limit": try setLimit(option.value)
        case "allow-unauthenticated": options.allowsUnauthenticated = true
        default: preconditionFailure("The option --\(option.name) is declared but not taken.")
        }
    }

    private mutating func setLimit(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let value = Int(parts[1]), value >= 0 else {
            throw UsageError("--limit \(text): write NAME=VALUE with a whole number, 0 = none, as in connections=4000.")
        }
        guard limits.set(String(parts[0]), to: value) else {
            throw UsageError(
                "--limit \(text): there is no such limit; known are \(Limits.allNames.joined(separator: ", ")).")
        }
    }
}
