// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapJSON

/// The proxy that runs beside a gateway, over the same radio.
package struct ProxySettings: Hashable, Sendable {
    static let keys = ["key", "name", "port", "address", "slots"]

    /// The file of the key, which is made where there is none.
    package var key: String
    /// Nil for that of the gateway.
    package var name: String?
    package var port: UInt16 = 6053
    /// Nil for all addresses of the machine.
    package var address: String?
    /// How many connections all clients have.
    package var slots = 3

    package init(key: String) { self.key = key }
}

extension ConfigurationObject {
    /// The object `proxy`; nil, and a mistake, without a key.
    ///
    /// - Parameter path: The path that a text of the file stands for.
    func proxySettings(path: (String) -> String) -> ProxySettings? {
        guard let object = object("proxy", keys: ProxySettings.keys) else { return nil }
        guard let key = object.text("key") else {
            if !object.has("key") { refuse("proxy", "has no 'key': add the path of a file, which is made") }
            return nil
        }
        var settings = ProxySettings(key: path(key))
        (settings.name, settings.address) = (object.text("name"), object.text("address"))
        if let port = object.whole("port", "a port", in: 0...65_535) { settings.port = UInt16(clamping: port) }
        if let slots = object.whole("slots", "a number of connections", in: 0...16) { settings.slots = slots }
        return settings
    }
}
#endif
