internal import CLibwebsockets

/// SHA-256 of contents, as the 32 hexadecimal digits of its first half.
@safe struct ContentHash {
    private var context = unsafe lws_genhash_ctx()

    init() {
        let status = unsafe lws_genhash_init(&context, LWS_GENHASH_TYPE_SHA256)
        precondition(status == 0, "this system's crypto library has no SHA-256")
    }

    mutating func add(_ bytes: [UInt8]) { _ = unsafe lws_genhash_update(&context, bytes, bytes.count) }

    /// The last call.
    mutating func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe lws_genhash_destroy(&context, &digest)
        return digest.prefix(16).map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined()
    }

    static func of(_ bytes: [UInt8]) -> String {
        var hash = ContentHash()
        hash.add(bytes)
        return hash.finish()
    }
}
