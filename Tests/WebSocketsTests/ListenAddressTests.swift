import Testing
import WebSockets

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1:8080", true), ("[::1]:8080", "[::1]:8080", true),
        ("localhost:80", "localhost:80", true), ("LocalHost:80", "localhost:80", true),
        ("*:8080", "*:8080", false), (":8080", "*:8080", false), ("0.0.0.0:0", "0.0.0.0:0", false),
        ("192.168.1.2:65535", "192.168.1.2:65535", false), ("unix:/run/x.sock", "unix:/run/x.sock", true),
    ])
    func `an address is read, and says whether it is local`(text: String, description: String, local: Bool) throws {
        let address = try ListenAddress(parsing: text)
        #expect(address.description == description)
        #expect(address.isLoopback == local)
    }

    @Test(arguments: [
        "", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1: 1",
        "::1:8080", "[::1]", "[127.0.0.1]:1", "[::1:1", "example.com:80", "300.1.1.1:1", "unix:", "a b:1",
        "unix:/" + String(repeating: "x", count: 120),
    ])
    func `a bad address is refused with one line that says what to do`(text: String) {
        let error = #expect(throws: ListenError.self) { try ListenAddress(parsing: text) }
        #expect(error?.reason == .badAddress)
        #expect(error?.description.contains("\n") == false)
        #expect(error?.description.hasPrefix("cannot listen on \"\(text)\": ") == true)
    }
}
