// SPDX-License-Identifier: MIT

/// Additions of daemons that are newer than the recorded one, or run with other profiles. They are removed from the
/// trace and from the observed messages before both are compared.
enum TraceAdditions {
    /// Interfaces by the version that brought them, or took them away.
    private static let interfaces: Set<String> = [
        // Since 5.84; until 5.78.
        "org.bluez.Bearer.LE1", "org.bluez.Bearer.BREDR1", "org.bluez.HealthManager1",
    ]

    private static let properties: [String: Set<String>] = [
        // Since 5.79; 5.71.
        "org.bluez.Adapter1": ["Connectable", "Manufacturer", "Version"],
        // Since 5.83; 5.66; 5.84.
        "org.bluez.Device1": ["CablePairing", "Sets", "PreferredBearer"],
        // Since 5.78, also of remote objects.
        "org.bluez.GattService1": ["Handle"], "org.bluez.GattCharacteristic1": ["Handle"],
        "org.bluez.GattDescriptor1": ["Handle"],
    ]

    /// Signals, with their interface; since 5.80.
    private static let signals: Set<String> = ["org.bluez.Device1.Disconnected"]

    /// Since 5.81.
    private static let discoveryFilters: Set<String> = ["AutoConnect"]

    /// Whether nothing of a message is compared.
    static func has(message name: String) -> Bool {
        signals.contains(name) || interfaces.contains { name.hasPrefix($0 + ".") }
    }

    /// Whether a message is about Generic Access, the first service of a far device, which is shown since 5.80.
    static func has(message name: String, of object: String) -> Bool {
        object.contains("/dev_") && object.contains("/service0001") && name.hasPrefix("org.freedesktop.DBus.")
    }

    /// The answer to `GetDiscoveryFilters` without the additions.
    static func withoutAdditions(discoveryFilters body: JSONValue) -> JSONValue {
        .list((body.list?.first?.list ?? []).filter { !discoveryFilters.contains($0.text ?? "") })
    }

    /// Services that the adapter has because of the daemon's own profiles: Generic Attribute, Generic Access, Device
    /// Information, Volume Control.
    private static let ownServices = ["1800", "1801", "180a", "1844"].map { "0000\($0)-0000-1000-8000-00805f9b34fb" }

    static func has(interface: String) -> Bool { interfaces.contains(interface) }

    static func has(_ property: String, of interface: String) -> Bool {
        properties[interface]?.contains(property) ?? false
    }

    /// The value of a property without the additions.
    static func without(_ value: JSONValue, property: String, of interface: String) -> JSONValue {
        guard interface == "org.bluez.Adapter1", property == "UUIDs", let all = value["as"]?.list else { return value }
        return .object(["as": .list(all.filter { uuid in !ownServices.contains { uuid.text == $0 } })])
    }
}
