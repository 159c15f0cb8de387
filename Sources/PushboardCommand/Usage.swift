import Pushboard

/// The texts of `--help`.
enum Usage {
    static let main = """
        pushboard: live async buttons for browsers and scripts

        Commands:
          pushboard example [OPTION]...   serve the example board

        `pushboard example --help` lists the options.
        """

    static var example: String {
        let lines = serveOptions.map { option in
            let name = "  --\(option.name)" + (option.value.map { " \($0)" } ?? "")
            return name + String(repeating: " ", count: max(2, 30 - name.count)) + option.help
        }
        return "pushboard example: serve the example board\n\nOptions:\n" + lines.joined(separator: "\n")
    }

    static let serveOptions: [OptionReader.Declaration] = [
        .init(
            name: "listen", value: "HOST:PORT",
            help: "where to listen, or unix:PATH; several allowed (default \(ServeArguments.defaultAddress))"),
        .init(name: "public", value: "FOLDER", help: "the folder of the page (default Public)"),
        .init(name: "base", value: "PATH", help: "the sub-path under which a proxy shows the board"),
        .init(
            name: "host", value: "NAME[:PORT]", help: "another name under which the board is reached; several allowed"),
        .init(
            name: "trusted-proxy", value: "CIDR",
            help: "a proxy whose X-Forwarded headers are believed; several allowed"),
        .init(name: "state", value: "FOLDER", help: "where the access key is kept (default: your state folder)"),
        .init(
            name: "limit", value: "NAME=VALUE",
            help: "a limit, 0 = none; names: \(Limits.allNames.joined(separator: ", "))"),
        .init(
            name: "allow-unauthenticated", value: nil, help: "let everybody in who can connect, beyond this machine too"
        ),
        .init(name: "help", value: nil, help: "this text"),
    ]
}
