import Testing
import WebSockets

@Suite struct FrameLiveTests {
    private static let limit = 65_536

    @Test func `F53 text and binary messages arrive whole`() async throws {
        try await withServer { (server) throws in
            let client = try server.open()
            try client.send(text: "héllo")
            #expect(try client.frame() == .init(opcode: 1, payload: Array("héllo".utf8)))
            try client.send(RawClient.frame(opcode: 2, [0, 255, 1]))
            #expect(try client.frame() == .init(opcode: 2, payload: [0, 255, 1]))
            try client.send(text: "")
            #expect(try client.frame() == .init(opcode: 1, payload: []))
        }
    }

    @Test func `F53 a message of exactly the limit passes, in one frame or in many`() async throws {
        try await withServer { (server) throws in
            let client = try server.open()
            let payload = [UInt8](repeating: 0x61, count: Self.limit)
            try client.send(RawClient.frame(opcode: 1, payload))
            #expect(try client.frame()?.payload == payload)
            for start in stride(from: 0, to: Self.limit, by: 4_096) {
                let isLast = start + 4_096 == Self.limit
                let piece = Array(payload[start..<(start + 4_096)])
                try client.send(RawClient.frame(opcode: start == 0 ? 1 : 0, piece, isFinal: isLast))
            }
            #expect(try client.frame()?.payload == payload)
        }
    }

    @Test func `F53 a message over the limit gets the owner's error and 1009`() async throws {
        let whole = RawClient.frame(opcode: 1, [UInt8](repeating: 0x61, count: Self.limit + 1))
        let half = [UInt8](repeating: 0x61, count: Self.limit / 2 + 1)
        let fragments = RawClient.frame(opcode: 1, half, isFinal: false) + RawClient.frame(opcode: 0, half)
        let huge: [UInt8] = [0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0x55]
        for bytes in [whole, fragments, huge] {
            try await withServer { (server) throws in
                let client = try server.open()
                try client.send(bytes)
                #expect(try client.frame()?.text == "too big")
                #expect(try client.closeCode() == 1009)
            }
        }
    }

    @Test func `F53 a client that goes on with its huge message is cut`() async throws {
        try await withServer { (server) throws in
            let client = try server.open()
            let start: [UInt8] = [0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
            try client.send(start + [UInt8](repeating: 7, count: 100_000))
            #expect(server.eventually { server, _ in server.socketCount == 0 })
            #expect(server.on { _, owner in owner.messages }.isEmpty)
        }
    }

    @Test(
        arguments: [
            [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x61, 0x80],
        ] as [[UInt8]])
    func `F53 text that is not UTF-8 is closed with 1007`(payload: [UInt8]) async throws {
        try await withServer { (server) throws in
            let client = try server.open()
            try client.send(RawClient.frame(opcode: 1, payload))
            #expect(try client.closeCode() == 1007)
        }
    }

    @Test func `F53 text that ends within a character by an empty last fragment is closed with 1007`() async throws {
        try await withServer { (server) throws in
            let client = try server.open()
            try client.send(RawClient.frame(opcode: 1, [0xe2, 0x82], isFinal: false) + RawClient.frame(opcode: 0, []))
            #expect(try client.closeCode() == 1007)
            #expect(server.on { _, owner in owner.messages }.isEmpty)
        }
    }

    @Test(arguments: [
        RawClient.frame(opcode: 3, []), RawClient.frame(opcode: 7, [1]), RawClient.frame(opcode: 11, []),
        RawClient.frame(opcode: 15, []), RawClient.frame(opcode: 1, [0x61], reserved: 1),
        RawClient.frame(opcode: 1, [0x61], reserved: 4), RawClient.frame(opcode: 0, [0x61]),
        RawClient.frame(opcode: 9, [1], isFinal: false),
        RawClient.frame(opcode: 1, [0x61], isFinal: false) + RawClient.frame(opcode: 1, [0x61]),
    ])
    func `F53 a bad opcode, reserved bit or fragment order is closed with 1002`(bytes: [UInt8]) async throws {
        try await withServer { (server) throws in
            let client = try server.open()
            let start = monotonicSeconds()
            try client.send(bytes)
            #expect(try client.closeCode() == 1002)
            // The end comes from the server, and not only when it gives up waiting, which takes 2 s.
            #expect(try client.readToEnd().isEmpty)
            #expect(monotonicSeconds() - start < 1.5)
        }
    }

    @Test(
        arguments: [
            RawClient.frame(opcode: 9, [UInt8](repeating: 0, count: 126)),
            [0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4],
            [0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4],
        ] as [[UInt8]])
    func `F53 a ping of 126 bytes or a length from 2 to the 63rd is closed`(bytes: [UInt8]) async throws {
        try await withServer { (server) throws in
            let client = try server.open()
            try client.send(bytes)
            _ = try client.closeCode()
            client.close()
            #expect(server.eventually { server, _ in server.socketCount == 0 })
        }
    }

    @Test func `F53 a message split at every byte gives the same result`() async throws {
        try await withServer { (server) throws in
            let client = try server.open()
            let bytes =
                RawClient.frame(opcode: 1, Array("ab€".utf8), isFinal: false) + RawClient.frame(opcode: 9, [1, 2])
                + RawClient.frame(opcode: 0, Array("cd".utf8))
            for split in 1..<bytes.count {
                try client.send(bytes[..<split])
                // The answer to a ping proves that the first part has been read where it has already come.
                try client.send(bytes[split...])
                var frames = [try client.frame(), try client.frame()]
                frames.sort { ($0?.opcode ?? 0) > ($1?.opcode ?? 0) }
                #expect(
                    frames == [.init(opcode: 10, payload: [1, 2]), .init(opcode: 1, payload: Array("ab€cd".utf8))])
            }
            for byte in bytes { try client.send([byte]) }
            #expect(try client.frame()?.opcode == 10)
            #expect(try client.frame()?.text == "ab€cd")
        }
    }

    @Test func `an answer does not overtake the pong for a ping between the fragments`() async throws {
        try await withServer { (server) throws in
            let client = try server.open()
            let bytes =
                RawClient.frame(opcode: 1, [0x61], isFinal: false) + RawClient.frame(opcode: 9, [7])
                + RawClient.frame(opcode: 0, [0x62])
            for _ in 0..<50 {
                try client.send(bytes)
                #expect(try client.frame()?.opcode == 10)
                #expect(try client.frame()?.text == "ab")
            }
        }
    }

    @Test func `a client's close is answered with its code, a close of one byte with 1002`() async throws {
        try await withServer { (server) throws in
            let client = try server.open()
            try client.send(RawClient.frame(opcode: 8, [0x03, 0xe8]))
            #expect(try client.closeCode() == 1000)
            let odd = try server.open()
            try odd.send(RawClient.frame(opcode: 8, [0x03]))
            #expect(try odd.closeCode() == 1002)
            #expect(server.eventually { server, owner in server.socketCount == 0 && owner.closed.count == 2 })
        }
    }

    @Test func `F53 a bad frame in the same segment as the upgrade ends the connection`() async throws {
        try await withServer { (server) throws in
            let client = try server.connect()
            let head = (["GET /ws HTTP/1.1"] + RawClient.upgradeFields).joined(separator: "\r\n") + "\r\n\r\n"
            try client.send(Array(head.utf8) + RawClient.frame(opcode: 3, []))
            #expect(try client.response(hasBody: false).status == 101)
            _ = try client.closeCode()
            client.close()
            #expect(server.eventually { server, _ in server.socketCount == 0 })
        }
    }

    @Test func `good frames in the same segment as the upgrade are answered`() async throws {
        try await withServer { (server) throws in
            let client = try server.connect()
            let head = (["GET /ws HTTP/1.1"] + RawClient.upgradeFields).joined(separator: "\r\n") + "\r\n\r\n"
            try client.send(Array(head.utf8) + RawClient.frame(opcode: 1, [0x61]) + RawClient.frame(opcode: 1, [0x62]))
            #expect(try client.response(hasBody: false).status == 101)
            #expect(try client.frame()?.text == "a")
            #expect(try client.frame()?.text == "b")
        }
    }
}
