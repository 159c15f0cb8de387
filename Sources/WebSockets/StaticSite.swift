/// The files of a folder, read once into an immutable table, and again when they change. Loop thread only.
public final class StaticSite {
    /// A hash of all paths and contents: changes exactly when the site does.
    public var hash: String { table.hash }

    private let folder: String
    private var table: SiteTable
    private var lastCheck: Duration?
    private static let checkInterval = Duration.seconds(1)

    /// Reads the folder. Throws `StaticSiteError` with one line that says what to do.
    public init(folder: String) throws(StaticSiteError) {
        self.folder = folder
        table = try SiteTable(FolderReader(folder).read())
    }

    /// The answer for `path` (decoded, begins with `/`, below the base of the site); `nil`: there is nothing.
    ///
    /// A folder without its slash is redirected to it. Ranges are not supported, so `Range` is ignored (RFC 9110 14.2).
    public func response(
        path: String, method: String, ifNoneMatch: String? = nil, acceptsGzip: Bool = false
    ) -> HTTPResponse? {
        if let file = table.files[path] {
            guard method == "GET" || method == "HEAD" else {
                return .text(405, "A file can only be read.", headers: [(name: "Allow", value: "GET, HEAD")])
            }
            return file.response(ifNoneMatch: ifNoneMatch, acceptsGzip: acceptsGzip)
        }
        guard let name = path.split(separator: "/").last, table.files[path + "/"] != nil else { return nil }
        let location = (name: "Location", value: Self.encoded(name) + "/")
        return .text(308, "This folder's address ends with a slash.", headers: [location])
    }

    /// Looks for changed files, at most once per second; while they cannot be read the old ones stay.
    /// True: the table and `hash` are new. `now` is `EventLoop.now`.
    @discardableResult public func refresh(now: Duration) -> Bool {
        if let lastCheck, now - lastCheck < Self.checkInterval { return false }
        lastCheck = now
        let reader = FolderReader(folder)
        guard let stamps = try? reader.stamps(), stamps != table.stamps, let files = try? reader.read() else {
            return false
        }
        let old = hash
        table = SiteTable(files)
        return hash != old
    }

    /// One segment of a relative reference; a colon in it would make it a scheme (RFC 3986 4.2).
    private static func encoded(_ name: Substring) -> String {
        let digits = Array("0123456789ABCDEF")
        return name.utf8.reduce(into: "") { text, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}

/// Why a folder cannot be served, as one line that says what to do.
public struct StaticSiteError: Error, Equatable, CustomStringConvertible {
    public let description: String
}

/// Fields for every answer with a page or a part of one.
public enum SecurityHeaders {
    /// Scripts, styles and connections of the own origin only, nothing inline, no foreign frame around it.
    public static let page: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
                + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("X-Frame-Options", "SAMEORIGIN"),
    ]
}
