// SPDX-License-Identifier: MIT

/// The part of a message about data heard from a far device.
extension Trace.Message {
    private static let device = "org.bluez.Device1"

    /// Properties that follow the packets on the air. Their order among the other messages and the number of
    /// repetitions are chance; the sequence of values of each property is not.
    static let airProperties: Set<String> = [
        "RSSI", "TxPower", "ManufacturerData", "ServiceData", "AdvertisingFlags", "AdvertisingData", "Name", "Alias",
    ]

    /// The value of a property in words.
    ///
    /// Of a device without a name the address is the alias, which is none: it is random for each run, and it is chance
    /// whether a central's name was read when its object comes, or right after.
    private static func words(_ name: String, _ value: JSONValue?) -> String {
        guard let value else { return "unknown" }
        let isAddress = value["s"]?.text?.split(separator: "-").map(\.count) == Array(repeating: 2, count: 6)
        return name == "Alias" && isAddress ? "unknown" : value.canonical
    }

    /// The new values of an object's air properties as text, each with its name; empty if the message has none of them.
    var air: (object: String, values: [String: String])? {
        switch name {
        case "org.freedesktop.DBus.Properties.PropertiesChanged":
            guard let list = body.list, list.count == 3, list[0].text == Self.device else { return nil }
            let changed = (list[1].object ?? [:]).map { ($0.key, Self.words($0.key, $0.value)) }
            let gone = (list[2].list ?? []).compactMap(\.text).map { ($0, "unknown") }
            let all = Dictionary(changed + gone) { $1 }
            return (path, all.filter { Self.airProperties.contains($0.key) })
        case "org.freedesktop.DBus.ObjectManager.InterfacesAdded":
            guard let object = body.list?.first?.text, let shown = body.list?.last?[Self.device]?.object else {
                return nil
            }
            let values = Self.airProperties.map { ($0, Self.words($0, shown[$0])) }
            return (object, Dictionary(uniqueKeysWithValues: values))
        case "org.freedesktop.DBus.ObjectManager.InterfacesRemoved":
            let removed = (body.list?.last?.list ?? []).compactMap(\.text)
            guard let object = body.list?.first?.text, removed.contains(Self.device) else { return nil }
            return (object, Dictionary(uniqueKeysWithValues: Self.airProperties.map { ($0, "unknown") }))
        default: return nil
        }
    }
}
