/// The files of a folder, read once into an immutable table, and again when they change.
public final class StaticSite {
    /// A hash of all paths and contents.
    public private(set) var hash = ""
    /// Throws `StaticSiteError` with one line that says what to do.
    public init(folder: String) throws(StaticSiteError) {}
    /// The answer for `path` (as in `HTTPRequest.path`, below the base); `nil`: no such file.
    public func response(path: String, method: String, ifNoneMatch: String?, acceptsGzip: Bool) -> HTTPResponse? { nil }
    /// Looks for changed files, at most once per second. True: the table and `hash` are new.
    public func refresh(now: Duration) -> Bool { false }
}

/// Why a folder cannot be served, as one line that says what to do.
public struct StaticSiteError: Error, CustomStringConvertible {
    public let description: String
}
