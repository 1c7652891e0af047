// SPDX-License-Identifier: MIT

/// The kind of a value that a sensor sends: a quantity with its units, or a state.
///
/// This is the one table of kinds: objects of BTHome, the fields of sensor formats and the numbers of profiles refer to
/// it, and the gateway describes them to Home Assistant by it.
package final class SensorKind: Sendable {
    package let name: String
    /// The units in which numbers are sent, the most frequent first; none for a state and for a number without a unit.
    package let units: [String]
    /// The class of Home Assistant (the pages "Sensor" and "Binary sensor" of its developers' documentation).
    package let deviceClass: String?
    /// Whether the number grows until it begins anew, as a counter's does.
    package let isTotal: Bool
    /// The words for 0 and 1; nil for a number.
    package let states: (off: String, on: String)?
    /// Whether Home Assistant's ON is the other state than the device's.
    package let isInverted: Bool

    private init(
        _ name: String, _ deviceClass: String?, units: [String] = [], isTotal: Bool = false,
        states: (off: String, on: String)? = nil, isInverted: Bool = false
    ) {
        (self.name, self.deviceClass, self.units, self.isTotal) = (name, deviceClass, units, isTotal)
        (self.states, self.isInverted) = (states, isInverted)
    }

    /// The kind of a number; nil for a name that is not known.
    package static func number(_ name: String) -> SensorKind? { numbersByName[name] }

    /// The kind of a state; nil for a name that is not known.
    package static func state(_ name: String) -> SensorKind? { statesByName[name] }

    private static let numbersByName = Dictionary(uniqueKeysWithValues: numbers.map { ($0.name, $0) })
    private static let statesByName = Dictionary(uniqueKeysWithValues: states.map { ($0.name, $0) })

    private static func quantity(
        _ name: String, _ deviceClass: String?, _ units: String..., isTotal: Bool = false
    ) -> SensorKind {
        SensorKind(name, deviceClass, units: units, isTotal: isTotal)
    }

    private static func state(
        _ name: String, _ deviceClass: String?, _ off: String, _ on: String, isInverted: Bool = false
    ) -> SensorKind {
        SensorKind(name, deviceClass, states: (off, on), isInverted: isInverted)
    }

    /// The kinds of numbers.
    package static let numbers: [SensorKind] = [
        quantity("acceleration", nil, "m/s²"),
        quantity("alarm temperature", "temperature", "°C"),
        quantity("battery", "battery", "%"),
        quantity("blood pressure", "pressure", "mmHg", "kPa"),
        quantity("channel", nil),
        quantity("CO2", "carbon_dioxide", "ppm"),
        quantity("conductivity", "conductivity", "µS/cm"),
        quantity("count", nil),
        quantity("current", "current", "A"),
        quantity("dew point", "temperature", "°C"),
        quantity("direction", nil, "°"),
        quantity("distance", "distance", "mm", "m"),
        quantity("duration", "duration", "s"),
        quantity("energy", "energy", "kWh", isTotal: true),
        quantity("flow", "volume_flow_rate", "m³/h"),
        quantity("gas", "gas", "m³", isTotal: true),
        quantity("gyroscope", nil, "°/s"),
        quantity("humidity", "humidity", "%"),
        quantity("impedance", nil, "Ω"),
        quantity("illuminance", "illuminance", "lx"),
        quantity("light level", nil),
        quantity("mass", "weight", "kg", "lb"),
        quantity("moisture", "moisture", "%"),
        quantity("NOx index", nil),
        quantity("PM1", "pm1", "µg/m³"),
        quantity("PM10", "pm10", "µg/m³"),
        quantity("PM2.5", "pm25", "µg/m³"),
        quantity("PM4", nil, "µg/m³"),
        quantity("power", "power", "W"),
        quantity("precipitation", "precipitation", "mm"),
        quantity("pressure", "atmospheric_pressure", "hPa", "Pa"),
        quantity("rotation", nil, "°"),
        quantity("rotational speed", nil, "rpm"),
        quantity("speed", "speed", "m/s"),
        quantity("storage", "volume_storage", "l"),
        quantity("temperature", "temperature", "°C", "°F"),
        quantity("TVOC", "volatile_organic_compounds", "µg/m³"),
        quantity("UV index", nil),
        quantity("VOC index", nil),
        quantity("voltage", "voltage", "V"),
        quantity("volume", "volume_storage", "l", "ml"),
        quantity("water", "water", "l", isTotal: true),
    ]

    /// The kinds of states.
    package static let states: [SensorKind] = [
        state("battery", "battery", "normal", "low"),
        state("carbon monoxide", "carbon_monoxide", "none", "detected"),
        state("charging", "battery_charging", "no", "yes"),
        state("cold", "cold", "no", "yes"),
        state("connectivity", "connectivity", "off", "on"),
        state("door", "door", "closed", "open"),
        state("garage door", "garage_door", "closed", "open"),
        state("gas", "gas", "none", "detected"),
        state("heat", "heat", "no", "yes"),
        state("light", "light", "none", "detected"),
        state("lock", "lock", "locked", "unlocked"),
        state("moisture", "moisture", "dry", "wet"),
        state("motion", "motion", "none", "detected"),
        state("moving", "moving", "no", "yes"),
        state("occupancy", "occupancy", "none", "detected"),
        state("opening", "opening", "closed", "open"),
        state("plug", "plug", "out", "in"),
        state("power", "power", "off", "on"),
        state("presence", "presence", "away", "home"),
        state("problem", "problem", "no", "yes"),
        state("running", "running", "no", "yes"),
        state("safety", "safety", "unsafe", "safe", isInverted: true),
        state("smoke", "smoke", "none", "detected"),
        state("sound", "sound", "none", "detected"),
        state("state", nil, "off", "on"),
        state("tamper", "tamper", "off", "on"),
        state("vibration", "vibration", "none", "detected"),
        state("window", "window", "closed", "open"),
    ]
}

extension SensorKind: Hashable {
    /// Whether both are the same row of the table.
    package static func == (left: SensorKind, right: SensorKind) -> Bool { left === right }

    /// Hashes the row.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
