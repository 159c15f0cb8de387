internal import Glibc

/// One bound, listening descriptor.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    let port: UInt16
    /// Path, device and inode of a unix socket's file.
    private var file: (path: String, device: dev_t, inode: ino_t)?

    /// The kernel cuts it to net.core.somaxconn.
    private static let backlog: Int32 = 4096

    static func tcp(host: String, port: UInt16) throws(ListenError) -> ListeningSocket {
        let address = ListenAddress.ip(host: host, port: port)
        let family = host.contains(":") ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw error(address, errno) }
        do throws(ListenError) {
            setOption(descriptor, SOL_SOCKET, SO_REUSEADDR)
            if family == AF_INET6 { setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
            guard bind(descriptor, host: host, port: port) == 0 else { throw error(address, errno) }
            guard listen(descriptor, backlog) == 0 else { throw error(address, errno) }
            return ListeningSocket(descriptor: descriptor, port: boundPort(descriptor), file: nil)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    static func unix(_ path: String) throws(ListenError) -> ListeningSocket {
        let address = ListenAddress.unix(path: path)
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw error(address, errno) }
        do throws(ListenError) {
            if bindUnix(descriptor, path) != 0 {
                guard errno == EADDRINUSE else { throw error(address, errno) }
                try removeStale(path)
                guard bindUnix(descriptor, path) == 0 else { throw error(address, errno) }
            }
            guard listen(descriptor, backlog) == 0 else { throw error(address, errno) }
            var status = stat()
            let found = unsafe lstat(path, &status) == 0
            let file = found ? (path, status.st_dev, status.st_ino) : nil
            return ListeningSocket(descriptor: descriptor, port: 0, file: file)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    func close() {
        Glibc.close(descriptor)
        guard let file else { return }
        var status = stat()
        guard unsafe lstat(file.path, &status) == 0 else { return }
        if status.st_dev == file.device && status.st_ino == file.inode { unsafe unlink(file.path) }
    }

    /// Removes a socket file that nobody listens on; anything else at that path is left alone.
    private static func removeStale(_ path: String) throws(ListenError) {
        let address = ListenAddress.unix(path: path)
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ListenError(
                .inUse, "cannot listen on \(address): a file that is no socket is there; choose another path")
        }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { throw error(address, errno) }
        defer { Glibc.close(probe) }
        let connected = unsafe withUnixAddress(path) { unsafe connect(probe, $0, $1) }
        // EAGAIN: a live listener whose backlog is full (unix(7)).
        guard connected != 0 && errno == ECONNREFUSED else { throw error(address, EADDRINUSE) }
        unsafe unlink(path)
    }

    private static func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var one: Int32 = 1
        unsafe setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func bind(_ descriptor: Int32, host: String, port: UInt16) -> Int32 {
        if host.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            unsafe inet_pton(AF_INET6, host, &address.sin6_addr)
            return unsafe withSocketAddress(address) { unsafe Glibc.bind(descriptor, $0, $1) }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        unsafe inet_pton(AF_INET, host, &address.sin_addr)
        return unsafe withSocketAddress(address) { unsafe Glibc.bind(descriptor, $0, $1) }
    }

    private static func bindUnix(_ descriptor: Int32, _ path: String) -> Int32 {
        unsafe withUnixAddress(path) { unsafe Glibc.bind(descriptor, $0, $1) }
    }

    private static func boundPort(_ descriptor: Int32) -> UInt16 {
        var storage = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            unsafe getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        // The port lies at the same offset in both families.
        return UInt16(bigEndian: storage.sin6_port)
    }

    private static func error(_ address: ListenAddress, _ code: Int32) -> ListenError {
        let start = "cannot listen on \(address): "
        switch code {
        case EADDRINUSE:
            return ListenError(.inUse, start + "another program listens there; stop it or choose another address")
        case EACCES, EPERM:
            return ListenError(
                .forbidden, start + "permission denied; choose a port from 1024 or a folder you can write")
        case EADDRNOTAVAIL, EAFNOSUPPORT:
            return ListenError(.unavailable, start + "this machine has no such address; see `ip address`")
        case ENOENT, ENOTDIR:
            return ListenError(.unavailable, start + "its folder does not exist; create it first")
        case EMFILE, ENFILE:
            return ListenError(.system, start + "too many open files; raise the limit (ulimit -n)")
        default:
            return ListenError(.system, start + errorText(code))
        }
    }
}

/// What the system calls error `code`.
func errorText(_ code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}

/// Calls `body` with `address` as the system wants it.
func withSocketAddress<Address>(_ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    unsafe withUnsafePointer(to: address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(MemoryLayout<Address>.size))
        }
    }
}

/// Calls `body` with the address of a unix socket; `path` has at most 107 bytes.
func withUnixAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return unsafe withSocketAddress(address, body)
}
