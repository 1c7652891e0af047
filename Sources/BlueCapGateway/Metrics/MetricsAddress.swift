// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapPlatform

/// Where metrics are served: an address of this machine, and a port.
package struct MetricsAddress: Hashable, Sendable {
    /// An IPv4 address, or an IPv6 address without its brackets.
    package let host: String
    /// 0 for any port that is free.
    package let port: UInt16

    /// Reads an address.
    ///
    /// - Parameter text: `"127.0.0.1:9464"` or `"[::1]:9464"`; `localhost` stands for 127.0.0.1. Other names are
    ///   refused, so that a start waits for no service of names.
    /// - Throws: The form that the text should have.
    package init(text: String) throws(MetricsAddressError) {
        guard let (name, number) = try? BrokerAddress.split(Substring(text)), let port = number.flatMap({ UInt16($0) })
        else { throw MetricsAddressError() }
        let host = name == "localhost" ? "127.0.0.1" : String(name)
        guard Self.isNumeric(host) else { throw MetricsAddressError() }
        self.init(host: host, port: port)
    }

    init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    private static func isNumeric(_ host: String) -> Bool {
        // It has room for an address of either family.
        var bytes = in6_addr()
        return unsafe inet_pton(host.contains(":") ? AF_INET6 : AF_INET, host, &bytes) == 1
    }
}

extension MetricsAddress: CustomStringConvertible {
    package var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}

/// A text is no address of metrics. The description follows the name of an option or a key.
package struct MetricsAddressError: Error, Hashable, CustomStringConvertible {
    package let description = "is an address of this machine and a port, as 127.0.0.1:9464 or [::1]:9464"

    package init() {}
}
#endif
