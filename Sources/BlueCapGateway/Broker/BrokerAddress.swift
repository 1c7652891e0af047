// SPDX-License-Identifier: MIT

#if Gateway
/// Where a broker is: `mqtt://host:port`, or `mqtts://host:port` for TLS.
package struct BrokerAddress: Hashable, Sendable {
    /// A name, an IPv4 address, or an IPv6 address without its brackets.
    package let host: String
    package let port: UInt16
    /// Whether the connection is made by TLS.
    package let isSecure: Bool

    /// Reads an address.
    ///
    /// Without a port it is 1883, and 8883 with TLS. User and password are not part of it: every user of a machine
    /// could read them in the list of processes.
    ///
    /// - Parameter text: The address; without a scheme it is one of `mqtt`.
    /// - Throws: The mistake in the text.
    package init(text: String) throws(BrokerAddressError) {
        var rest = Substring(text)
        if let end = rest.firstRange(of: "://") {
            switch rest[..<end.lowerBound].lowercased() {
            case "mqtt", "tcp": isSecure = false
            case "mqtts", "ssl", "tls": isSecure = true
            default: throw .scheme(String(rest[..<end.lowerBound]))
            }
            rest = rest[end.upperBound...]
        } else {
            isSecure = false
        }
        if rest.contains("@") { throw .credentials }
        if rest.hasSuffix("/") { rest.removeLast() }
        let (host, port) = try Self.split(rest)
        if host.isEmpty || host.utf8.count > 255 || host.contains(where: { $0 == "/" || $0.isWhitespace }) {
            throw .host
        }
        self.host = String(host)
        if let port {
            guard let number = UInt16(port), number > 0 else { throw .port(String(port)) }
            self.port = number
        } else {
            self.port = isSecure ? 8883 : 1883
        }
    }

    /// A host without its brackets, and the text of a port, if there is one.
    static func split(_ text: Substring) throws(BrokerAddressError) -> (Substring, Substring?) {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { throw .host }
            let port = text[text.index(after: end)...]
            guard port.isEmpty || port.first == ":" else { throw .host }
            return (text[text.index(after: text.startIndex)..<end], port.isEmpty ? nil : port.dropFirst())
        }
        guard let colon = text.firstIndex(of: ":") else { return (text, nil) }
        // An IPv6 address without brackets has several.
        guard text.lastIndex(of: ":") == colon else { throw .host }
        return (text[..<colon], text[text.index(after: colon)...])
    }
}

extension BrokerAddress: CustomStringConvertible {
    package var description: String {
        "\(isSecure ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

/// The reason why a text is no address of a broker.
package enum BrokerAddressError: Error, Hashable, CustomStringConvertible {
    case scheme(String)
    case credentials
    case host
    case port(String)

    package var description: String {
        switch self {
        case .scheme(let scheme): "'\(scheme)' is no protocol of a broker: write mqtt://HOST, or mqtts://HOST for TLS"
        case .credentials: "user and password are no part of the address: use --username and --password-file"
        case .host: "the name of the host is missing or wrong: write mqtt://HOST:PORT, an IPv6 address in brackets"
        case .port(let port): "'\(port)' is no port: it is a number from 1 to 65535"
        }
    }
}
#endif
