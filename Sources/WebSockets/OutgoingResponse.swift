internal import Glibc

/// An HTTP answer on its way: how far it has been handed over.
struct OutgoingResponse {
    private let head: [UInt8]
    private let body: [UInt8]
    private var offset = 0
    let closes: Bool

    init(_ response: HTTPResponse, isHead: Bool, closes: Bool, date: String) {
        head = response.head(closing: closes, date: date)
        body = isHead || response.status == 204 || response.status == 304 ? [] : response.body
        self.closes = closes
    }

    var remaining: Int { head.count + body.count - offset }

    /// Hands over what `descriptor` takes. The bytes that it took; 0: nothing now; -1: it failed.
    mutating func send(to descriptor: Int32) -> Int {
        let start = max(0, offset - head.count)
        let headPart = head[min(offset, head.count)...]
        let sent = unsafe headPart.withUnsafeBytes { first in
            unsafe body[start...].withUnsafeBytes { second in
                unsafe Self.write(first, second, to: descriptor)
            }
        }
        if sent < 0 { return errno == EAGAIN || errno == EINTR ? 0 : -1 }
        offset += sent
        return sent
    }

    private static func write(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, to descriptor: Int32
    ) -> Int {
        var parts = unsafe [first, second].map {
            unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
        }
        return unsafe parts.withUnsafeMutableBufferPointer { parts in
            var message = unsafe msghdr()
            unsafe message.msg_iov = parts.baseAddress
            unsafe message.msg_iovlen = parts.count
            return unsafe sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
        }
    }
}
