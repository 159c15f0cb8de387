import Testing
import WebSockets

@Suite struct AddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", true), ("127.9.9.9", "127.9.9.9", true), ("10.0.0.1", "10.0.0.1", false),
        ("::1", "::1", true), ("0:0::1", "::1", true), ("::ffff:127.0.0.1", "127.0.0.1", true),
        ("fe80::1", "fe80::1", false), ("::2", "::2", false),
    ])
    func `an address has one spelling and knows whether it is loopback`(text: String, spelling: String, loopback: Bool)
    {
        let address = IPAddress(parsing: text)
        #expect(address?.description == spelling)
        #expect(address?.isLoopback == loopback)
    }

    @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "[::1]", "::1%lo", "1.2.3.4:80", "01.2.3.4"])
    func `anything else is no address`(text: String) {
        #expect(IPAddress(parsing: text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3", "10.1.2.3", true),
        ("10.1.2.3", "10.1.2.4", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001::1", false),
        ("fd00::/8", "fd12::1", true), ("fd00::/8", "fc00::1", false), ("::/0", "10.0.0.1", true),
        ("192.168.1.129/25", "192.168.1.200", true), ("192.168.1.129/25", "192.168.1.1", false),
        ("10.0.0.0/8", "::ffff:10.1.1.1", true), ("fd00::/65", "fd00::1", true),
        ("fd00::/65", "fd00::8000:0:0:1", false),
    ])
    func `a range contains its addresses and no others`(range: String, address: String, inside: Bool) throws {
        let cidr = try #require(CIDR(parsing: range))
        #expect(cidr.contains(try #require(IPAddress(parsing: address))) == inside)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/", "fd00::/129", "x/8", "1.2.3.4/8/8",
    ])
    func `a bad range is refused`(text: String) {
        #expect(CIDR(parsing: text) == nil)
    }
}
