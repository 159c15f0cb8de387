internal import CLibwebsockets

/// Reads a `RequestHead` out of lws's header table. Valid only inside a callback that still has one.
@safe struct HeadReader {
    private let wsi: OpaquePointer
    /// lws keeps at most `max_http_header_data` bytes, so no value is longer.
    private let capacity: Int

    init(_ wsi: OpaquePointer, capacity: Int) {
        unsafe self.wsi = unsafe wsi
        self.capacity = capacity
    }

    func read() -> RequestHead {
        var head = RequestHead()
        var start: UnsafeMutablePointer<CChar>?
        var length: Int32 = 0
        let method = Int(unsafe lws_http_get_uri_and_method(wsi, &start, &length))
        guard Self.methods.indices.contains(method) else {
            head.method = nil
            return head
        }
        head.method = Self.methods[method].name
        head.path = fragments(Self.methods[method].token)
        head.query = fragments(WSI_TOKEN_HTTP_URI_ARGS)
        let versions = fragments(WSI_TOKEN_HTTP)
        head.version = text(versions.first ?? [])
        head.isIntact = unsafe versions.count == 1 && isIntact(start, head.path + head.query, versions[0])
        for (field, token) in Self.fields {
            let values = fragments(token)
            if !values.isEmpty { head.fields[field] = values.map(text) }
        }
        for (field, name) in Self.customFields {
            if let value = custom(name) { head.fields[field] = [text(value)] }
        }
        head.byteCount = byteCount()
        return head
    }

    /// lws stores path, parameters and version one behind the other, with two bytes before each parameter and one
    /// before the version. An encoded CR, LF or zero in the path breaks that: it ends the line in lws's eyes, and the
    /// rest of the path is then read as fields. A version that does not follow at once is no version of this line.
    private func isIntact(_ start: UnsafeMutablePointer<CChar>?, _ parts: [[UInt8]], _ version: [UInt8]) -> Bool {
        guard let start = unsafe start, !parts.isEmpty else { return false }
        let offset = parts.reduce(0) { $0 + $1.count } + 2 * (parts.count - 1) + 1
        // Not past the table: the version was stored behind the parts, so as many bytes follow them.
        let stored = unsafe UnsafeBufferPointer(start: start + offset, count: version.count)
        return unsafe stored.elementsEqual(version.map(CChar.init(bitPattern:)))
    }

    private func fragments(_ token: lws_token_indexes) -> [[UInt8]] {
        guard unsafe lws_hdr_total_length(wsi, token) > 0 else { return [] }
        var fragments: [[UInt8]] = []
        while fragments.count < Self.maximumFragments {
            let index = Int32(fragments.count)
            let length = Int(unsafe lws_hdr_fragment_length(wsi, token, index))
            var buffer = [CChar](repeating: 0, count: length + 1)
            let copied = unsafe lws_hdr_copy_fragment(wsi, &buffer, Int32(buffer.count), token, index)
            guard copied >= 0 else { break }
            fragments.append(buffer.prefix(Int(copied)).map(UInt8.init(bitPattern:)))
        }
        return fragments
    }

    private func custom(_ name: StaticString) -> [UInt8]? {
        let length = Int32(name.utf8CodeUnitCount)
        return name.withUTF8Buffer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { name -> [UInt8]? in
                let size = unsafe lws_hdr_custom_length(wsi, name.baseAddress, length)
                guard size >= 0 else { return nil }
                var buffer = [CChar](repeating: 0, count: Int(size) + 1)
                let copied = unsafe lws_hdr_custom_copy(wsi, &buffer, Int32(buffer.count), name.baseAddress, length)
                guard copied >= 0 else { return nil }
                return buffer.prefix(Int(copied)).map(UInt8.init(bitPattern:))
            }
        }
    }

    /// Bytes of all values that lws has a token for.
    private func byteCount() -> Int {
        (0..<WSI_TOKEN_COUNT.rawValue).reduce(0) { sum, raw in
            sum + Int(unsafe lws_hdr_total_length(wsi, lws_token_indexes(rawValue: raw)))
        }
    }

    private func text(_ bytes: [UInt8]) -> String {
        let trimmed = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        let end = trimmed.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? trimmed.startIndex
        return String(decoding: trimmed[..<end], as: UTF8.self)
    }

    /// lws has room for fewer fragments than this in one request.
    private static let maximumFragments = 1_024

    /// In the order of `lws_http_get_uri_and_method`.
    private static let methods: [(token: lws_token_indexes, name: String)] = [
        (WSI_TOKEN_GET_URI, "GET"), (WSI_TOKEN_POST_URI, "POST"), (WSI_TOKEN_OPTIONS_URI, "OPTIONS"),
        (WSI_TOKEN_PUT_URI, "PUT"), (WSI_TOKEN_PATCH_URI, "PATCH"), (WSI_TOKEN_DELETE_URI, "DELETE"),
        (WSI_TOKEN_CONNECT, "CONNECT"), (WSI_TOKEN_HEAD_URI, "HEAD"),
    ]

    private static let fields: [(RequestHead.Field, lws_token_indexes)] = [
        (.host, WSI_TOKEN_HOST), (.origin, WSI_TOKEN_ORIGIN), (.connection, WSI_TOKEN_CONNECTION),
        (.upgrade, WSI_TOKEN_UPGRADE), (.webSocketKey, WSI_TOKEN_KEY), (.webSocketVersion, WSI_TOKEN_VERSION),
        (.webSocketProtocol, WSI_TOKEN_PROTOCOL), (.cookie, WSI_TOKEN_HTTP_COOKIE),
        (.authorization, WSI_TOKEN_HTTP_AUTHORIZATION), (.ifNoneMatch, WSI_TOKEN_HTTP_IF_NONE_MATCH),
        (.acceptEncoding, WSI_TOKEN_HTTP_ACCEPT_ENCODING), (.userAgent, WSI_TOKEN_HTTP_USER_AGENT),
        (.contentType, WSI_TOKEN_HTTP_CONTENT_TYPE), (.contentLength, WSI_TOKEN_HTTP_CONTENT_LENGTH),
        (.transferEncoding, WSI_TOKEN_HTTP_TRANSFER_ENCODING), (.forwardedFor, WSI_TOKEN_X_FORWARDED_FOR),
    ]

    /// Fields that lws has no token for: it keeps their names in lower case, with the colon.
    private static let customFields: [(RequestHead.Field, StaticString)] = [
        (.secFetchSite, "sec-fetch-site:"), (.forwardedProto, "x-forwarded-proto:"),
        (.forwardedHost, "x-forwarded-host:"), (.spacedContentLength, "content-length :"),
        (.spacedTransferEncoding, "transfer-encoding :"),
    ]
}
