import Glibc
import WebSockets

/// A client of bytes on a blocking socket: it can send what no proper client would. Only on threads of `onThread`.
final class RawClient {
    struct Failure: Error, CustomStringConvertible { let description: String }
    struct Frame: Equatable {
        let opcode: UInt8
        let payload: [UInt8]
        var text: String { String(decoding: payload, as: UTF8.self) }
        /// Of a Close frame.
        var code: Int? { opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
    }
    struct Response {
        let status: Int
        let head: String
        let body: [UInt8]
        func field(_ name: String) -> String? {
            for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("\(name.lowercased()): ") {
                return String(line.dropFirst(name.count + 2))
            }
            return nil
        }
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// Not inherited by the processes that other tests start.
    private static let socketType = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    private var descriptor: Int32
    private var input: [UInt8] = []
    /// The server ended the connection with a RST, which may cost what was under way.
    private(set) var wasReset = false

    init(port: UInt16, host: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
        descriptor = socket(host.contains(":") ? AF_INET6 : AF_INET, Self.socketType, 0)
        if let receiveBuffer { set(SO_RCVBUF, receiveBuffer) }
        var result: Int32
        if host.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            unsafe inet_pton(AF_INET6, host, &address.sin6_addr)
            result = connectSocket(descriptor, address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            unsafe inet_pton(AF_INET, host, &address.sin_addr)
            result = connectSocket(descriptor, address)
        }
        let code = errno
        guard result == 0 else { throw Failure(description: unsafe String(cString: strerror(code))) }
        prepare()
    }

    init(unix path: String) throws {
        descriptor = socket(AF_UNIX, Self.socketType, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let result = connectSocket(descriptor, address)
        let code = errno
        guard result == 0 else { throw Failure(description: unsafe String(cString: strerror(code))) }
        prepare()
    }

    deinit { close() }

    private func prepare() {
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    private func set(_ option: Int32, _ value: Int32) {
        var value = value
        unsafe setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Closes with a RST.
    func reset() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        close()
    }

    // MARK: Bytes

    func send(_ bytes: some Collection<UInt8>) throws {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress.map { unsafe $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "the server does not take what is sent") }
            sent += count
        }
    }

    func send(_ text: String) throws { try send(text.utf8) }

    /// More input. False: the server has closed (or reset). Throws after 20 s of silence.
    @discardableResult func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        let code = errno
        if count > 0 { input += buffer[..<count] }
        if count < 0, code == ECONNRESET { wasReset = true }
        if count < 0, code == EAGAIN { throw Failure(description: "nothing came within 20 s") }
        return count > 0
    }

    /// Reads until the server closes; the bytes that came.
    func readToEnd() throws -> [UInt8] {
        while try receive() {}
        defer { input = [] }
        return input
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while input.count < count {
            guard try receive() else { throw Failure(description: "closed by the server") }
        }
        defer { input.removeFirst(count) }
        return Array(input[..<count])
    }

    // MARK: HTTP

    /// One answer; the body as long as its Content-Length says.
    func response(hasBody: Bool = true) throws -> Response {
        var end: Int?
        while true {
            end = input.indices.dropLast(3).first { input[$0...].starts(with: [13, 10, 13, 10]) }
            if end != nil { break }
            guard try receive() else { throw Failure(description: "closed before an answer") }
        }
        let head = String(decoding: try take(end! + 4), as: UTF8.self)
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let length = Response(status: status, head: head, body: []).field("Content-Length").flatMap { Int($0) } ?? 0
        return Response(status: status, head: head, body: hasBody ? try take(length) : [])
    }

    /// Sends a request of `lines` and reads its answer.
    func request(_ line: String, _ fields: [String] = ["Host: localhost"], body: String = "") throws -> Response {
        try send("\(line)\r\n\(fields.map { "\($0)\r\n" }.joined())\r\n\(body)")
        return try response(hasBody: !line.hasPrefix("HEAD "))
    }

    static let upgradeFields = [
        "Host: localhost", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]

    func upgrade(_ path: String = "/ws", fields: [String] = []) throws {
        let response = try request("GET \(path) HTTP/1.1", Self.upgradeFields + fields)
        guard response.status == 101 else { throw Failure(description: "refused: \(response.head)") }
    }

    // MARK: Frames

    /// A masked frame of a client (RFC 6455 5.2).
    static func frame(opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0) -> [UInt8] {
        let mask: [UInt8] = [0x11, 0x22, 0x33, 0x44]
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        switch payload.count {
        case ..<126: bytes.append(0x80 | UInt8(payload.count))
        case ..<65_536: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: bytes += [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    func send(text: String) throws { try send(Self.frame(opcode: 1, Array(text.utf8))) }

    /// The next frame; `nil`: the server closed without one.
    func frame() throws -> Frame? {
        while input.count < 2 {
            guard try receive() else { return nil }
        }
        let head = try take(2)
        var length = Int(head[1] & 0x7f)
        if length == 126 { length = try take(2).reduce(0) { $0 << 8 | Int($1) } }
        if length == 127 { length = try take(8).reduce(0) { $0 << 8 | Int($1) } }
        return Frame(opcode: head[0] & 0x0f, payload: try take(length))
    }

    /// The code of the Close frame that ends the connection, after any other frames; `nil`: it ended without one.
    func closeCode() throws -> Int? {
        while let frame = try frame() {
            if frame.opcode == 8 { return frame.code ?? 1005 }
        }
        return nil
    }
}

private func connectSocket<Address>(_ descriptor: Int32, _ address: Address) -> Int32 {
    unsafe withUnsafePointer(to: address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
        }
    }
}
