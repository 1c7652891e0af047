// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapDBus

// The properties that are read, by interface. Those among `mirrored` are held in the mirror of the daemon's objects.

extension BlueZInterface {
    /// The mirrored interfaces, with their mirrored properties; the others are not looked at.
    package static let mirrored: [String: [String]] = [
        adapter: Adapter1.mirrored, device: Device1.mirrored, service: GattService1.mirrored,
        characteristic: GattCharacteristic1.mirrored, descriptor: GattDescriptor1.mirrored, battery: Battery1.mirrored,
        advertisingManager: LEAdvertisingManager1.mirrored, gattManager: [],
        advertisementMonitorManager: AdvertisementMonitorManager1.mirrored,
    ]

    /// The properties whose changes are reported, with a characteristic's value, which is not mirrored.
    static let told = mirrored.merging([characteristic: [GattCharacteristic1.value.name]]) { $0 + $1 }
}

package enum Adapter1 {
    package static let address = PropertyKey(string: "Address")
    package static let addressType = PropertyKey(string: "AddressType")
    package static let powered = PropertyKey(bool: "Powered")
    package static let powerState = PropertyKey(string: "PowerState")
    package static let pairable = PropertyKey(bool: "Pairable")
    package static let modalias = PropertyKey(string: "Modalias")
    // Not mirrored: asked for when needed.
    package static let alias = PropertyKey(string: "Alias")
    package static let discovering = PropertyKey(bool: "Discovering")
    package static let roles = PropertyKey(strings: "Roles")

    static let mirrored = [
        address.name, addressType.name, powered.name, powerState.name, pairable.name, modalias.name,
    ]
}

package enum Device1 {
    package static let address = PropertyKey(string: "Address")
    package static let name = PropertyKey(string: "Name")
    package static let alias = PropertyKey(string: "Alias")
    package static let rssi = PropertyKey("RSSI") { $0.int16Value }
    package static let txPower = PropertyKey("TxPower") { $0.int16Value }
    package static let uuids = PropertyKey(strings: "UUIDs")
    package static let appearance = PropertyKey("Appearance") { $0.uint16Value }
    package static let manufacturerData = PropertyKey(entries: "ManufacturerData")
    package static let serviceData = PropertyKey(entries: "ServiceData")
    package static let advertisingData = PropertyKey(entries: "AdvertisingData")
    package static let advertisingFlags = PropertyKey(bytes: "AdvertisingFlags")
    package static let connected = PropertyKey(bool: "Connected")
    package static let servicesResolved = PropertyKey(bool: "ServicesResolved")
    package static let paired = PropertyKey(bool: "Paired")
    package static let bonded = PropertyKey(bool: "Bonded")
    package static let addressType = PropertyKey(string: "AddressType")
    /// The radio over which BlueZ connects; there only for a device that may have both, with `-E` since 5.80.
    package static let bearer = PropertyKey(string: "PreferredBearer")

    /// The properties that only packets change; the one that changes with each packet comes first.
    package static let ofPackets = [
        rssi.name, manufacturerData.name, serviceData.name, txPower.name, advertisingData.name, advertisingFlags.name,
    ]

    /// The name in UTF-8 bytes, if it is that of a property that only packets change.
    static func ofPackets(_ bytes: ArraySlice<UInt8>) -> String? {
        ofPackets.first { bytes.span.isEqual(to: $0.utf8Span.span) }
    }

    static let mirrored =
        ofPackets + [
            address.name, name.name, alias.name, uuids.name, appearance.name, connected.name, servicesResolved.name,
            paired.name, bonded.name, addressType.name, bearer.name,
        ]
}

package enum GattService1 {
    package static let uuid = PropertyKey(string: "UUID")
    package static let primary = PropertyKey(bool: "Primary")
    package static let includes = PropertyKey("Includes") { $0.objectPathsValue }

    static let mirrored = [uuid.name, primary.name, includes.name]
}

package enum GattCharacteristic1 {
    package static let uuid = PropertyKey(string: "UUID")
    package static let flags = PropertyKey(strings: "Flags")
    package static let value = PropertyKey(bytes: "Value")
    package static let maximumTransmissionUnit = PropertyKey("MTU") { $0.uint16Value }
    /// Whether any program is subscribed: the property covers all programs together.
    package static let notifying = PropertyKey(bool: "Notifying")
    package static let notifyAcquired = PropertyKey(bool: "NotifyAcquired")

    static let mirrored = [uuid.name, flags.name, maximumTransmissionUnit.name, notifying.name, notifyAcquired.name]
}

package enum GattDescriptor1 {
    package static let uuid = PropertyKey(string: "UUID")

    static let mirrored = [uuid.name]
}

package enum Battery1 {
    package static let percentage = PropertyKey("Percentage") { $0.byteValue }

    static let mirrored = [percentage.name]
}

package enum LEAdvertisingManager1 {
    package static let activeInstances = PropertyKey("ActiveInstances") { $0.byteValue }
    package static let supportedInstances = PropertyKey("SupportedInstances") { $0.byteValue }
    package static let supportedFeatures = PropertyKey(strings: "SupportedFeatures")
    package static let supportedSecondaryChannels = PropertyKey(strings: "SupportedSecondaryChannels")
    package static let supportedCapabilities = PropertyKey("SupportedCapabilities") { $0.propertiesValue }
    /// Among the capabilities.
    package static let maximumAdvertisementLength = PropertyKey("MaxAdvLen") { $0.byteValue }
    /// Among the capabilities.
    package static let maximumScanResponseLength = PropertyKey("MaxScnRspLen") { $0.byteValue }

    static let mirrored = [
        activeInstances.name, supportedInstances.name, supportedFeatures.name, supportedCapabilities.name,
        supportedSecondaryChannels.name,
    ]
}

package enum AdvertisementMonitorManager1 {
    package static let supportedFeatures = PropertyKey(strings: "SupportedFeatures")

    static let mirrored = [supportedFeatures.name]
}
#endif
