// SPDX-License-Identifier: MIT

/// The abilities of a proxy, as it tells its clients. Left out are the mode of the scan and the parameters of
/// connections, which no backend lets a program choose.
package struct ProxyFeatures: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    static let passiveScan = Self(rawValue: 1)
    static let connections = Self(rawValue: 2)
    /// Clients connect only where it is there, too.
    static let remoteCaching = Self(rawValue: 4)
    static let pairing = Self(rawValue: 8)
    static let cacheClearing = Self(rawValue: 16)
    static let rawAdvertisements = Self(rawValue: 32)

    /// Those of a proxy with so many slots.
    package init(slots: Int) {
        self = [.passiveScan, .rawAdvertisements]
        if slots > 0 { formUnion([.connections, .remoteCaching, .pairing, .cacheClearing]) }
    }
}
