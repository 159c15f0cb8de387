import Glibc
import Testing
import WebSockets

private struct StaticSiteTestsError: Error { let name: String }

/// A folder of its own for each test.
@Suite final class StaticSiteTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/pushboard-site-XXXXXX".utf8CString)
        folder = unsafe mkdtemp(&template).map { unsafe String(cString: $0) } ?? ""
        try #require(!folder.isEmpty)
        try write("index.html", "<!doctype html>")
        try write("app.js", String(repeating: "let a = 1\n", count: 200))
        makeFolder("sub folder")
        try write("sub folder/index.html", "inner")
        makeFolder("empty")
    }

    deinit { remove(folder) }

    private func makeFolder(_ name: String) { unsafe mkdir("\(folder)/\(name)", 0o755) }

    private func write(_ name: String, _ text: String) throws {
        guard let file = unsafe fopen("\(folder)/\(name)", "w") else {
            throw StaticSiteTestsError(name: name)
        }
        let bytes = Array(text.utf8)
        _ = unsafe fwrite(bytes, 1, bytes.count, file)
        unsafe fclose(file)
    }

    private func remove(_ path: String) {
        // A link is removed, never followed: what it points to is not ours.
        if unsafe unlink(path) == 0 { return }
        if let stream = unsafe opendir(path) {
            while let entry = unsafe readdir(stream) {
                let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
                let name = String(decoding: bytes, as: UTF8.self)
                if name != "." && name != ".." { remove("\(path)/\(name)") }
            }
            unsafe closedir(stream)
            unsafe rmdir(path)
        }
    }

    private func site() throws -> StaticSite { try StaticSite(folder: folder) }

    private func get(_ site: StaticSite, _ path: String, ifNoneMatch: String? = nil, gzip: Bool = false)
        -> HTTPResponse?
    {
        site.response(path: path, method: "GET", ifNoneMatch: ifNoneMatch, acceptsGzip: gzip)
    }

    private func field(_ response: HTTPResponse?, _ name: String) -> String? {
        response?.headers.first { $0.name == name }?.value
    }

    @Test(arguments: [
        ("a.html", "text/html; charset=utf-8"), ("a.css", "text/css; charset=utf-8"),
        ("a.JS", "text/javascript; charset=utf-8"),
        ("a.svg", "image/svg+xml; charset=utf-8"), ("a.json", "application/json; charset=utf-8"),
        ("a.png", "image/png"),
        ("a.woff2", "font/woff2"), ("a.unknown", "application/octet-stream"), ("html", "application/octet-stream"),
    ])
    func `a file is served with its type`(name: String, type: String) throws {
        try write(name, "content")
        let response = get(try site(), "/\(name)")
        #expect(response?.status == 200)
        #expect(response?.body == Array("content".utf8))
        #expect(field(response, "Content-Type") == type)
        #expect(field(response, "X-Content-Type-Options") == "nosniff")
        #expect(field(response, "Cache-Control") == "no-cache")
        #expect(field(response, "Content-Security-Policy")?.contains("unsafe") == false)
        #expect(field(response, "Content-Security-Policy")?.contains("default-src 'none'") == true)
    }

    @Test func `a folder means its index, and without its slash it is redirected relatively`() throws {
        let site = try site()
        #expect(get(site, "/")?.body == get(site, "/index.html")?.body)
        #expect(get(site, "/sub folder/")?.body == Array("inner".utf8))
        let redirect = get(site, "/sub folder")
        #expect(redirect?.status == 308)
        #expect(field(redirect, "Location") == "sub%20folder/")
        #expect(get(site, "/empty") == nil)
        #expect(get(site, "/empty/") == nil)
    }

    @Test func `F57 nothing outside, no dotfile, no link in or out, no listing`() throws {
        try write(".secret", "secret")
        makeFolder(".hidden")
        try write(".hidden/x", "secret")
        #expect(unsafe symlink("/proc/self/status", "\(folder)/out") == 0)
        #expect(unsafe symlink("/proc/self", "\(folder)/etc") == 0)
        #expect(unsafe symlink("app.js", "\(folder)/in") == 0)
        #expect(unsafe symlink("sub folder", "\(folder)/folder") == 0)
        #expect(unsafe mkfifo("\(folder)/pipe", 0o600) == 0)
        let site = try site()
        let paths = [
            "/.secret", "/.hidden/x", "/out", "/etc/passwd", "/in", "/folder/", "/folder/index.html", "/pipe",
            "/../etc/passwd",
            "/sub folder/../index.html", "//index.html", "/index.html/", "/INDEX.html",
            "/" + String(repeating: "x", count: 5_000), "",
            "index.html", "/sub%20folder/", "/app.js\0.html",
        ]
        for path in paths { #expect(get(site, path) == nil, "\(path)") }
    }

    @Test func `F57 a tag is strong, compared weakly, in a list or as a star`() throws {
        let site = try site()
        let tag = try #require(field(get(site, "/app.js"), "ETag"))
        let gzipTag = try #require(field(get(site, "/app.js", gzip: true), "ETag"))
        #expect(tag.hasPrefix("\"") && tag != gzipTag)
        for match in [tag, "W/\(tag)", "\"x\", \(tag)", " \"x\" ,\tW/\(tag) ", "*", gzipTag] {
            let response = get(site, "/app.js", ifNoneMatch: match)
            #expect(response?.status == 304, "\(match)")
            #expect(response?.body.isEmpty == true)
            #expect(field(response, "ETag") == tag)
            #expect(field(response, "Content-Type") == nil)
        }
        for other in ["\"x\"", tag.dropLast() + "x\"", "", "x", String(tag.dropFirst().dropLast())] as [String] {
            #expect(get(site, "/app.js", ifNoneMatch: other)?.status == 200, "\(other)")
        }
    }

    @Test func `gzip is made where it saves, and is the same file`() throws {
        try write("tiny.css", "a")
        let site = try site()
        let packed = try #require(get(site, "/app.js", gzip: true))
        #expect(field(packed, "Content-Encoding") == "gzip")
        #expect(field(packed, "Vary") == "Accept-Encoding")
        #expect(packed.body.count < 200)
        #expect(packed.body.starts(with: [0x1f, 0x8b]))
        #expect(field(get(site, "/app.js"), "Content-Encoding") == nil)
        #expect(field(get(site, "/app.js"), "Vary") == "Accept-Encoding")
        #expect(field(get(site, "/tiny.css", gzip: true), "Content-Encoding") == nil)
    }

    @Test func `F57 only GET and HEAD, and a HEAD is answered like a GET`() throws {
        let site = try site()
        #expect(site.response(path: "/app.js", method: "HEAD")?.status == 200)
        let post = site.response(path: "/app.js", method: "POST")
        #expect(post?.status == 405)
        #expect(field(post, "Allow") == "GET, HEAD")
        #expect(site.response(path: "/none", method: "POST") == nil)
    }

    @Test func `F57 an edit of the same size changes the tag and the hash, at most one look per second`() throws {
        let site = try site()
        let (hash, tag) = (site.hash, field(get(site, "/index.html"), "ETag"))
        let unchanged = site.refresh(now: .seconds(10))
        #expect(!unchanged)
        try write("index.html", "<!doctype HTML>")
        let tooSoon = site.refresh(now: .seconds(10.5))
        #expect(!tooSoon)
        #expect(site.hash == hash)
        let changed = site.refresh(now: .seconds(11))
        #expect(changed)
        #expect(site.hash != hash)
        #expect(field(get(site, "/index.html"), "ETag") != tag)
        #expect(get(site, "/index.html")?.body == Array("<!doctype HTML>".utf8))
    }

    @Test func `new and removed files are picked up, and the old ones stay while the folder is away`() throws {
        let site = try site()
        try write("new.txt", "new")
        unsafe unlink("\(folder)/app.js")
        let changed = site.refresh(now: .seconds(1))
        #expect(changed)
        #expect(get(site, "/new.txt")?.status == 200)
        #expect(get(site, "/app.js") == nil)
        #expect(unsafe rename(folder, folder + "-away") == 0)
        let failed = site.refresh(now: .seconds(3))
        #expect(!failed)
        #expect(get(site, "/new.txt")?.status == 200)
        #expect(unsafe rename(folder + "-away", folder) == 0)
    }

    @Test func `a folder that cannot be served is one line that says what to do`() throws {
        let missing = #expect(throws: StaticSiteError.self) { try StaticSite(folder: "\(folder)/none") }
        #expect(missing?.description.contains("no such folder; create it or name another") == true)
        let file = #expect(throws: StaticSiteError.self) { try StaticSite(folder: "\(folder)/app.js") }
        #expect(file?.description.contains("it is no folder") == true)
        #expect(missing?.description.contains("\n") == false)
    }
}
