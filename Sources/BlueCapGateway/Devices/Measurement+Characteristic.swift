// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe

extension Measurement {
    /// The longest text that is a state of Home Assistant.
    private static let maximumText = 255

    /// The values of a characteristic, as its profile reads them; without a profile the bytes in hexadecimal.
    ///
    /// Of a characteristic whose values have one part the key is its name, as `battery`. Of several it is followed by
    /// the name of the part, as `heart_rate_sensor_contact`; a part with the same name is not repeated, as in
    /// `heart_rate`. A part has the same key and kind in all values, whatever other parts they have.
    ///
    /// - Returns: Nil where the profile cannot read the bytes.
    static func all(in value: Bytes, of profile: CharacteristicProfile) -> [Measurement]? {
        let uuid = profile.uuid
        guard profile.declaresValues else {
            let key = TopicText.level(uuid.description.lowercased())
            return [Measurement(key, .text(String(value.hex.prefix(maximumText))), EntityKind(isText: true))]
        }
        guard var parts = profile.parts(of: value) else { return nil }
        let isMomentary = momentary.contains(uuid)
        // The number as it is sent stands beside the quantity.
        let names = Set(parts.map(\.name))
        parts.removeAll { $0.name.hasSuffix("Raw") && names.contains(String($0.name.dropLast(3))) }
        let name = snake(keys[uuid] ?? withoutSuffix(profile.name))
        return parts.filter(\.isPresent).sorted { $0.name < $1.name }.compactMap { part in
            let key = parts.count == 1 || snake(part.name) == name ? name : "\(name)_\(snake(part.name))"
            if part.isNumber {
                var kind = EntityKind.characteristic(uuid, key: key, unit: part.unit)
                kind.isMomentary = isMomentary
                return Measurement(key, part.number.map { .number($0) } ?? .unknown, kind)
            }
            // A row or a range of numbers.
            if part.unit != nil { return nil }
            let text = part.text.map { Value.text(String($0.prefix(maximumText))) }
            return Measurement(key, text ?? .unknown, EntityKind(isText: true))
        }
    }

    private init(_ key: String, _ value: Value, _ kind: EntityKind) {
        self.init(key: key, name: key, kind: kind, value: value)
    }

    /// The characteristics of devices that are on only while they measure: scales, cuffs, and the thermometers, meters
    /// of glucose and oximeters of patients.
    private static let momentary: Set<BluetoothUUID> = ["2A18", "2A1C", "2A35", "2A5E", "2A9C", "2A9D"]

    /// The characteristics whose values have the keys of BTHome's.
    private static let keys: [BluetoothUUID: String] = ["2A19": "battery"]

    private static func withoutSuffix(_ name: String) -> String {
        let suffix = " Measurement"
        return name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }

    /// `"heartRate"` and `"Heart Rate"` as `"heart_rate"`.
    private static func snake(_ name: String) -> String {
        var result = ""
        var wasSmall = false
        for character in name {
            if character.isUppercase, wasSmall { result += "_" }
            wasSmall = character.isLowercase
            result += character.lowercased()
        }
        return TopicText.level(result)
    }
}

extension EntityKind {
    /// The kind of a number in a value of a characteristic.
    static func characteristic(_ uuid: BluetoothUUID, key: String, unit: String?) -> EntityKind {
        let name: String? =
            switch unit {
            case "°C", "°F": "temperature"
            case "%" where uuid == "2A19": "battery"
            case "%" where key.hasSuffix("humidity"): "humidity"
            case "Pa" where key.hasSuffix("pressure"), "hPa" where key.hasSuffix("pressure"): "pressure"
            case "mmHg", "kPa": "blood pressure"
            case "ppm" where uuid == "2B8C": "CO2"
            case "kg", "lb": "mass"
            case "V": "voltage"
            case "A": "current"
            case "W": "power"
            case "lx": "illuminance"
            default: nil
            }
        let deviceClass = name.flatMap(SensorKind.number)?.deviceClass
        return EntityKind(deviceClass: deviceClass, unit: unit, stateClass: "measurement")
    }
}
#endif
