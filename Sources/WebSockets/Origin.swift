/// The origin of a browser's page (RFC 6454 6.2): `scheme://host[:port]`, nothing behind it.
package struct Origin: Equatable {
    package let scheme: String
    package let host: HostField
    package let port: UInt16

    package init?(parsing text: String) {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, ["http:", "https:"].contains(parts[0].lowercased()) else {
            return nil
        }
        guard let host = HostField(parsing: String(parts[2])) else { return nil }
        scheme = String(parts[0].lowercased().dropLast())
        self.host = host
        port = host.port ?? Self.defaultPort(scheme)
    }

    static func defaultPort(_ scheme: String) -> UInt16 { scheme == "https" ? 443 : 80 }
}
