import Testing
import WebSockets

@Suite struct MessageAssemblerTests {
    private func add(
        _ assembler: inout MessageAssembler, _ bytes: [UInt8], announced: Int = 0, isLast: Bool = true,
        isBinary: Bool = false
    ) -> MessageAssembler.Step {
        unsafe bytes.withUnsafeBytes { piece in
            unsafe assembler.add(piece, announced: announced, isLast: isLast, isBinary: isBinary)
        }
    }

    @Test func `pieces become one message, and the next one begins empty`() {
        var assembler = MessageAssembler(limit: 10)
        let steps = [
            add(&assembler, [0x61], isLast: false), add(&assembler, [0x62], announced: 1, isLast: false),
            add(&assembler, [0x63]), add(&assembler, [0x64]), add(&assembler, [1], isBinary: true), add(&assembler, []),
        ]
        #expect(steps == [.doNothing, .doNothing, .text([0x61, 0x62, 0x63]), .text([0x64]), .binary([1]), .text([])])
    }

    @Test(arguments: [(10, 0, false), (11, 0, true), (1, 9, false), (1, 10, true), (1, Int.max, true)])
    func `F53 what is announced counts, and a message over the limit is told once`(
        size: Int, announced: Int, over: Bool
    ) {
        var assembler = MessageAssembler(limit: 10)
        let bytes = [UInt8](repeating: 0x61, count: size)
        let first = add(&assembler, bytes, announced: announced, isLast: false)
        #expect(first == (over ? .tooBig : .doNothing))
        if over {
            let second = add(&assembler, bytes)
            #expect(second == .doNothing)
        }
    }

    @Test func `0 means no limit`() {
        var assembler = MessageAssembler(limit: 0)
        let step = add(&assembler, [0x61], announced: Int.max, isLast: false)
        #expect(step == .doNothing)
    }
}

@Suite struct OutboxTests {
    @Test func `frames come out in order and the bytes are bounded`() {
        var outbox = Outbox(limit: 10)
        let frames = ["aaaa", "bbbb", "ccc", "dd"].map { SharedFrame(text: $0) }
        let kept = frames.map { outbox.append($0) }
        #expect(kept == [true, true, false, true])
        #expect(outbox.byteCount == 10)
        var order: [SharedFrame?] = []
        for _ in 0..<4 { order.append(outbox.removeFirst()) }
        #expect(order[0] === frames[0] && order[1] === frames[1] && order[2] === frames[3] && order[3] == nil)
        #expect(outbox.isEmpty)
        #expect(outbox.byteCount == 0)
    }

    @Test func `order and count hold over many rounds`() {
        var outbox = Outbox(limit: 0)
        var expected: [String] = []
        for number in 0..<1_000 {
            _ = outbox.append(SharedFrame(text: "\(number)"))
            expected.append("\(number)")
            if number % 3 != 0 {
                let text = outbox.removeFirst().map { String(decoding: $0.bytes, as: UTF8.self) }
                #expect(text == expected.removeFirst())
            }
        }
        #expect(outbox.byteCount == expected.joined().utf8.count)
    }
}

@Suite struct TextTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ])
    func `a date is written as HTTP wants it`(seconds: Int, text: String) {
        #expect(DateField.format(seconds) == text)
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    ])
    func `contents are hashed with SHA-1`(text: String, digits: String) {
        #expect(ContentHash.of(Array(text.utf8)) == digits)
    }
}
