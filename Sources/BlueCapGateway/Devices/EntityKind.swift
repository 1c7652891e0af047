// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon

/// The kind of a value for Home Assistant: device class, unit and state class.
struct EntityKind: Hashable, Sendable {
    var deviceClass: String?
    var unit: String?
    /// `measurement`, or `total_increasing` of a counter.
    var stateClass: String?
    var isBinary = false
    var isText = false
    /// Whether Home Assistant's ON is the other state than the device's.
    var isInverted = false
    /// Whether devices with such a value are on only while they measure.
    var isMomentary = false
    /// The part of the device that is pressed or turned; nil for a value.
    var part: SensorEvent.Part?

    /// The platform of Home Assistant that its entities belong to.
    var platform: String { part == nil ? isBinary ? "binary_sensor" : "sensor" : "event" }

    /// The kind of an object; nil where it is no state of its device, and no event.
    static func bthome(_ object: BTHomeObject) -> EntityKind? {
        if object.id == 0x53 { return EntityKind(isText: true) }
        if let part = SensorEvent.Part(object) { return EntityKind(part: part) }
        return object.sensorKind.map { EntityKind($0, unit: object.unit) }
    }

    private static let mass = SensorKind.number("mass")

    /// The units that Home Assistant writes in another way.
    private static let units = ["l": "L", "ml": "mL"]
}

extension EntityKind {
    init(_ kind: SensorKind, unit: String) {
        deviceClass = kind.deviceClass
        if kind.states != nil {
            (isBinary, isInverted) = (true, kind.isInverted)
        } else {
            self.unit = Self.units[unit] ?? (unit.isEmpty ? nil : unit)
            stateClass = kind.isTotal ? "total_increasing" : "measurement"
            // A scale.
            isMomentary = kind == Self.mass
        }
    }
}
#endif
