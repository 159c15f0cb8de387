internal import CLibev
internal import Glibc

/// What tells that a file has changed, without reading it.
struct FileStamp: Equatable {
    /// Below the folder, begins with `/`.
    let path: String
    let size: Int
    let inode: UInt64
    /// Nanoseconds since 1970.
    let modified: Int
    let changed: Int
}

struct FileContent {
    let stamp: FileStamp
    let bytes: [UInt8]
}

/// Reads a folder's plain files: no dotfile, no symbolic link (in it or out of it), nothing but files and folders.
struct FolderReader {
    private let folder: String

    static let maximumFiles = 2_000
    static let maximumBytes = 64 << 20
    static let maximumDepth = 16

    init(_ folder: String) { self.folder = folder }

    /// The stamps of all files, in the order of their paths.
    func stamps() throws(StaticSiteError) -> [FileStamp] {
        var stamps: [FileStamp] = []
        try walk { (_, stamp) throws(StaticSiteError) in stamps.append(stamp) }
        return stamps.sorted { $0.path < $1.path }
    }

    func read() throws(StaticSiteError) -> [FileContent] {
        var contents: [FileContent] = []
        var sum = 0
        try walk { (descriptor, stamp) throws(StaticSiteError) in
            sum += stamp.size
            guard sum <= Self.maximumBytes else {
                throw error("it has more than \(Self.maximumBytes >> 20) MiB; serve large files elsewhere")
            }
            contents.append(FileContent(stamp: stamp, bytes: try bytes(descriptor, stamp)))
        }
        return contents
    }

    private typealias Visit = (_ descriptor: Int32, _ stamp: FileStamp) throws(StaticSiteError) -> Void

    private func walk(_ visit: Visit) throws(StaticSiteError) {
        let root = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else {
            switch errno {
            case ENOENT: throw error("no such folder; create it or name another")
            case ENOTDIR: throw error("it is no folder; name the folder that holds index.html")
            default: throw error("\(errorText(errno)); make it readable")
            }
        }
        defer { close(root) }
        var count = 0
        try walk(root, "", depth: 0, &count, visit)
    }

    private func walk(
        _ directory: Int32, _ path: String, depth: Int, _ count: inout Int, _ visit: Visit
    ) throws(StaticSiteError) {
        guard depth < Self.maximumDepth else { throw error("its folders are nested more than \(depth) deep") }
        for name in try names(directory, path) {
            let path = "\(path)/\(name)"
            // A link is not followed, and opening a pipe does not wait.
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let descriptor = unsafe openat(directory, name, flags)
            if descriptor < 0 {
                // A link (ELOOP), a socket (ENXIO), or gone since it was listed.
                if errno == ELOOP || errno == ENXIO || errno == ENOENT { continue }
                throw error("\(path) cannot be read (\(errorText(errno))); make it readable or remove it")
            }
            defer { close(descriptor) }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try walk(descriptor, path, depth: depth + 1, &count, visit)
            case S_IFREG:
                count += 1
                guard count <= Self.maximumFiles else { throw error("it has more than \(Self.maximumFiles) files") }
                try visit(descriptor, Self.stamp(path, status))
            default: continue
            }
        }
    }

    /// The names in a folder that may be served.
    private func names(_ directory: Int32, _ path: String) throws(StaticSiteError) -> [String] {
        // The stream closes its descriptor, and must not share the offset of ours.
        let copy = unsafe openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else {
            throw error("\(path)/ cannot be read (\(errorText(errno))); make it readable")
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            guard bytes.first != 0x2e, let name = String(validating: bytes, as: UTF8.self) else { continue }
            names.append(name)
            // The limit on files comes later; this one keeps a folder full of links from costing memory.
            guard names.count <= 2 * Self.maximumFiles else { throw error("\(path)/ has too many entries") }
        }
        return names.sorted()
    }

    private func bytes(_ descriptor: Int32, _ stamp: FileStamp) throws(StaticSiteError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: stamp.size)
        var count = 0
        while count < stamp.size {
            let part = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress.map { unsafe $0 + count }, stamp.size - count)
            }
            guard part >= 0 else { throw error("\(stamp.path) cannot be read (\(errorText(errno)))") }
            if part == 0 { break }
            count += part
        }
        bytes.removeLast(stamp.size - count)
        return bytes
    }

    private static func stamp(_ path: String, _ status: stat) -> FileStamp {
        FileStamp(
            path: path, size: Int(status.st_size), inode: UInt64(status.st_ino),
            modified: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec,
            changed: status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec)
    }

    private func error(_ advice: String) -> StaticSiteError {
        StaticSiteError(description: "cannot serve the folder \"\(folder)\": \(advice)")
    }
}
