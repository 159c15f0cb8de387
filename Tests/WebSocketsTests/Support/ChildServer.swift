import Glibc
import WebSockets

/// `EchoServer` as a process of its own, under limits of its own. Only on threads of `onThread`.
final class ChildServer {
    struct Failure: Error, CustomStringConvertible { let description: String }

    let identifier: pid_t
    private let output: Int32
    private var text = ""
    private var isReaped = false

    /// Starts it by `sh` with `prelude` (as in `ulimit -n 64`) before it.
    init(_ arguments: [String] = ["--listen", "127.0.0.1:0"], prelude: String = "true") throws {
        var pipes: [Int32] = [0, 0]
        guard unsafe pipe(&pipes) == 0 else { throw Failure(description: "no pipe") }
        for descriptor in pipes { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, pipes[1], 2)
        let words = ["sh", "-c", "\(prelude) && exec \"$0\" \"$@\"", try Self.executable()] + arguments
        var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        var child: pid_t = 0
        let status = unsafe posix_spawn(&child, "/bin/sh", &actions, nil, &pointers, environ)
        close(pipes[1])
        guard status == 0 else { throw Failure(description: "sh does not start") }
        identifier = child
        output = pipes[0]
    }

    deinit {
        if !isReaped {
            kill(identifier, SIGKILL)
            _ = wait()
        }
        close(output)
    }

    /// The executable lies beside the tests.
    private static func executable() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let candidates = [path, CommandLine.arguments[0]].map { text in
            text.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
                + "/EchoServer"
        }
        guard let found = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else {
            throw Failure(description: "EchoServer was not built: \(candidates)")
        }
        return found
    }

    /// The next line of its standard error; `nil`: the end.
    func line() -> String? {
        while true {
            if let end = text.firstIndex(of: "\n") {
                defer { text = String(text[text.index(after: end)...]) }
                return String(text[..<end])
            }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = unsafe read(output, &buffer, buffer.count)
            guard count > 0 else { return nil }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    /// Waits until it listens; its port.
    func port() throws -> UInt16 {
        while let line = line() {
            if line.hasPrefix("listening on "), let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) {
                return port
            }
        }
        throw Failure(description: "it ended before it listened")
    }

    func signal(_ number: Int32) { kill(identifier, number) }

    /// Its exit status; -1: a signal ended it.
    func wait() -> Int {
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        isReaped = true
        return status & 0x7f == 0 ? Int(status >> 8 & 0xff) : -1
    }
}
