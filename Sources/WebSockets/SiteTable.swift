/// What a site answers, by exact path.
struct SiteTable {
    let files: [String: SiteFile]
    let hash: String
    let stamps: [FileStamp]

    init(_ contents: [FileContent]) {
        var files: [String: SiteFile] = [:]
        var digest = ContentHash()
        for content in contents.sorted(by: { $0.stamp.path < $1.stamp.path }) {
            let path = content.stamp.path
            let file = SiteFile(path: path, bytes: content.bytes)
            files[path] = file
            if path.hasSuffix("/index.html") { files[String(path.dropLast("index.html".count))] = file }
            digest.add(Array("\(path)\0\(file.entityTag)\n".utf8))
        }
        self.files = files
        hash = digest.finish()
        stamps = contents.map(\.stamp).sorted { $0.path < $1.path }
    }
}

/// One file, with everything about its answers made ahead.
struct SiteFile {
    /// A strong one, with its quotes.
    let entityTag: String
    private let bytes: [UInt8]
    private let type: String
    private let compressed: (bytes: [UInt8], entityTag: String)?

    init(path: String, bytes: [UInt8]) {
        let media = MediaType(path: path)
        let hash = ContentHash.of(bytes)
        self.bytes = bytes
        type = media.field
        entityTag = "\"\(hash)\""
        let gzip = media.isCompressible ? Gzip.compress(bytes) : nil
        compressed = gzip.map { ($0, "\"\(hash)-gzip\"") }
    }

    func response(ifNoneMatch: String?, acceptsGzip: Bool) -> HTTPResponse {
        let gzip = acceptsGzip ? compressed : nil
        let tag = gzip?.entityTag ?? entityTag
        var headers = SecurityHeaders.page + [(name: "ETag", value: tag), (name: "Cache-Control", value: "no-cache")]
        if compressed != nil { headers.append(("Vary", "Accept-Encoding")) }
        if let ifNoneMatch, Self.matches(ifNoneMatch, [entityTag, compressed?.entityTag]) {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers.append(("Content-Type", type))
        if gzip != nil { headers.append(("Content-Encoding", "gzip")) }
        return HTTPResponse(status: 200, headers: headers, body: gzip?.bytes ?? bytes)
    }

    /// `If-None-Match`: `*` or a list, compared weakly (RFC 9110 13.1.2). Our tags hold no comma.
    private static func matches(_ field: String, _ tags: [String?]) -> Bool {
        field.split(separator: ",").contains { item in
            var tag = item.drop { $0 == " " || $0 == "\t" }
            while let last = tag.last, last == " " || last == "\t" { tag.removeLast() }
            if tag == "*" { return true }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tags.contains(String(tag))
        }
    }
}

/// The type of a file, by the end of its name.
struct MediaType {
    let field: String
    let isCompressible: Bool

    init(path: String) {
        let name = path.split(separator: "/").last ?? ""
        let ending = name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
        if let text = Self.texts[ending] {
            field = "\(text); charset=utf-8"
            isCompressible = true
        } else {
            field = Self.binaries[ending] ?? "application/octet-stream"
            isCompressible = ["wasm", "ico"].contains(ending)
        }
    }

    private static let texts = [
        "html": "text/html", "css": "text/css", "js": "text/javascript", "mjs": "text/javascript",
        "json": "application/json", "map": "application/json", "webmanifest": "application/manifest+json",
        "svg": "image/svg+xml", "txt": "text/plain", "md": "text/markdown", "xml": "application/xml",
    ]
    private static let binaries = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "ico": "image/x-icon", "woff2": "font/woff2", "woff": "font/woff",
        "wasm": "application/wasm", "pdf": "application/pdf",
    ]
}
