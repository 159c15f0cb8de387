internal import CLibwebsockets

/// SHA-1 of contents in hexadecimal: tells versions of our own files apart, no protection against forgers.
package struct ContentHash {
    private var bytes: [UInt8] = []

    mutating func add(_ more: [UInt8]) { bytes += more }

    func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 20)
        unsafe lws_SHA1(bytes, bytes.count, &digest)
        return digest.map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined()
    }

    package static func of(_ bytes: [UInt8]) -> String {
        var hash = ContentHash()
        hash.add(bytes)
        return hash.finish()
    }
}
