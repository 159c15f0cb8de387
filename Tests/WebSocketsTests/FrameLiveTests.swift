import Testing
import WebSockets

@Suite struct FrameLiveTests {
    private static let limit = 65_536

    @Test func `F53 a message is echoed`() async throws {
        try await withServer { server in
            let client = try server.open()
            try client.send(text: "héllo")
            #expect(try client.frame() == .init(opcode: 1, payload: Array("héllo".utf8)))
            try client.send(RawClient.frame(opcode: 2, [0, 255, 1]))
            #expect(try client.frame() == .init(opcode: 2, payload: [0, 255, 1]))
        }
    }
}
