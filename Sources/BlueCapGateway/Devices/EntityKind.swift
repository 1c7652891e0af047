// SPDX-License-Identifier: MIT

import BlueCapBeacon

/// The kind of a value for Home Assistant: device class, unit and state class (the pages "Sensor" and "Binary sensor"
/// of its developers' documentation).
struct EntityKind: Hashable, Sendable {
    var deviceClass: String?
    var unit: String?
    /// `measurement`, or `total_increasing` of a counter.
    var stateClass: String?
    var isBinary = false
    var isText = false
    /// Whether Home Assistant's ON is the other state than the device's.
    var isInverted = false

    private static func sensor(_ deviceClass: String?, isTotal: Bool = false) -> EntityKind {
        EntityKind(deviceClass: deviceClass, stateClass: isTotal ? "total_increasing" : "measurement")
    }

    /// The kind of an object; nil where it is no state of its device.
    static func bthome(_ object: BTHomeObject) -> EntityKind? {
        if let deviceClass = binary[object.id] {
            return EntityKind(deviceClass: deviceClass, isBinary: true, isInverted: object.id == 0x28)
        }
        if object.id == 0x53 { return EntityKind(isText: true) }
        // A button, a command, a dimmer, a time and raw bytes.
        if [0x3A, 0x3B, 0x3C, 0x50, 0x54].contains(object.id) { return nil }
        guard object.number != nil else { return nil }
        var kind = sensors[object.name] ?? .sensor(nil)
        kind.unit = units[object.unit] ?? (object.unit.isEmpty ? nil : object.unit)
        return kind
    }

    /// The device classes of objects with two states; nil for one without a class.
    private static let binary: [UInt8: String?] = [
        0x0F: nil, 0x10: "power", 0x11: "opening", 0x15: "battery", 0x16: "battery_charging", 0x17: "carbon_monoxide",
        0x18: "cold", 0x19: "connectivity", 0x1A: "door", 0x1B: "garage_door", 0x1C: "gas", 0x1D: "heat", 0x1E: "light",
        0x1F: "lock", 0x20: "moisture", 0x21: "motion", 0x22: "moving", 0x23: "occupancy", 0x24: "plug",
        0x25: "presence", 0x26: "problem", 0x27: "running", 0x28: "safety", 0x29: "smoke", 0x2A: "sound",
        0x2B: "tamper", 0x2C: "vibration", 0x2D: "window",
    ]

    /// The kinds of objects with a number, by their names.
    private static let sensors: [String: EntityKind] = [
        "battery": .sensor("battery"), "temperature": .sensor("temperature"), "humidity": .sensor("humidity"),
        "pressure": .sensor("atmospheric_pressure"), "illuminance": .sensor("illuminance"), "mass": .sensor("weight"),
        "dew point": .sensor("temperature"), "energy": .sensor("energy", isTotal: true), "power": .sensor("power"),
        "voltage": .sensor("voltage"), "current": .sensor("current"), "PM2.5": .sensor("pm25"), "PM10": .sensor("pm10"),
        "CO2": .sensor("carbon_dioxide"), "TVOC": .sensor("volatile_organic_compounds"),
        "moisture": .sensor("moisture"),
        "distance": .sensor("distance"), "duration": .sensor("duration"), "speed": .sensor("speed"),
        "volume": .sensor("volume_storage"), "storage": .sensor("volume_storage"), "flow": .sensor("volume_flow_rate"),
        "gas": .sensor("gas", isTotal: true), "water": .sensor("water", isTotal: true),
        "conductivity": .sensor("conductivity"), "precipitation": .sensor("precipitation"),
    ]

    /// The units that Home Assistant writes in another way.
    private static let units = ["l": "L", "ml": "mL"]
}
