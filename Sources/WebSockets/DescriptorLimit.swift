internal import Glibc

/// The process's limit of open files.
package enum DescriptorLimit {
    /// Descriptors besides connections: listeners, files, child processes, a database.
    package static let reserve = 1_024
    /// More would only cost memory: lws keeps 16 bytes for each.
    package static let most = 65_536

    /// Sets the soft limit to what `connections` (0: any number) need, within the hard one. Returns it.
    ///
    /// It is raised as well as lowered, because lws sizes its tables by it: "unlimited" would cost gigabytes.
    package static func clamp(connections: Int) -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let wanted = connections == 0 ? most : min(most, connections + reserve)
        limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }
}
