// SPDX-License-Identifier: MIT

/// Asks for the device.
package struct DeviceInfoRequest: APIMessage {
    package static let number: UInt16 = 9

    package init() {}
}

/// The device that the proxy runs on.
package struct DeviceInfoResponse: APIMessage {
    package static let number: UInt16 = 10
    package static let fields: [APIField<Self>] = [
        .text(2, \.name), .text(3, \.address), .text(4, \.version), .text(5, \.compilationTime), .text(6, \.model),
        .text(8, \.projectName), .text(9, \.projectVersion), .unsigned(11, \.legacyProxyVersion),
        .text(12, \.manufacturer), .text(13, \.friendlyName), .unsigned(15, \.proxyFeatures),
        .text(18, \.bluetoothAddress), .bool(19, \.isEncrypted),
    ]

    package var name: String = ""
    /// Six octets in upper case with colons, by which clients know the node again.
    package var address: String = ""
    package var version: String = ""
    package var compilationTime: String = ""
    package var model: String = ""
    /// Empty, or with a dot: clients split it there.
    package var projectName: String = ""
    package var projectVersion: String = ""
    package var legacyProxyVersion: UInt32 = 0
    package var manufacturer: String = ""
    package var friendlyName: String = ""
    package var proxyFeatures: UInt32 = 0
    /// That of the adapter, by which clients know the scanner again.
    package var bluetoothAddress: String = ""
    package var isEncrypted: Bool = false

    package init() {}
}

/// Lists what is no Bluetooth: a proxy has nothing to list.
package struct ListEntitiesRequest: APIMessage {
    package static let number: UInt16 = 11

    package init() {}
}

/// The end of the list.
package struct ListEntitiesDoneResponse: APIMessage {
    package static let number: UInt16 = 19

    package init() {}
}

/// Asks for the features apart from the device; newer clients do.
package struct CapabilitiesRequest: APIMessage {
    package static let number: UInt16 = 149

    package init() {}
}

/// The features of the device.
package struct CapabilitiesResponse: APIMessage {
    package static let number: UInt16 = 150
    package static let fields: [APIField<Self>] = [.group(1, \.proxy)]

    package var proxy: ProxyCapability?

    package init() {}
}

/// The features of a proxy, and the address of its adapter.
package struct ProxyCapability: APIGroup {
    package static let fields: [APIField<Self>] = [
        .unsigned(1, \.features), .text(2, \.address),
    ]

    package var features: UInt32 = 0
    package var address: String = ""

    package init() {}
}
