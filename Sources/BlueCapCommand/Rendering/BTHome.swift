// SPDX-License-Identifier: MIT

import BlueCap

/// The measurements in a BTHome advertisement, version 2: service data of FCD2 (bthome.io/format).
struct BTHome: Sendable, Hashable {
    /// The service under which frames are sent.
    static let uuid: BluetoothUUID = "FCD2"

    /// One measurement or state.
    struct Measurement: Sendable, Hashable {
        var name: String
        /// The number as text, with as many digits after the point as it is sent with.
        var value: String
        /// Empty for a number without one.
        var unit: String
    }

    /// Whether the measurements are encrypted, and so unknown.
    let isEncrypted: Bool
    /// The measurements in the order in which they are sent, up to the first of an unknown kind, whose size is unknown
    /// too.
    let measurements: [Measurement]

    /// The frame in an advertisement; nil when there is none, or one of another version.
    init?(_ advertisements: PeripheralAdvertisements) {
        guard let data = advertisements.serviceData[Self.uuid], let information = data.first, information >> 5 == 2
        else {
            return nil
        }
        isEncrypted = information & 0x01 == 1
        measurements = isEncrypted ? [] : Self.measurements(data.dropFirst())
    }

    private static func measurements(_ data: some Collection<UInt8>) -> [Measurement] {
        var found: [Measurement] = []
        var rest = Array(data)[...]
        while let id = rest.popFirst() {
            guard let object = objects[id], rest.count >= object.size else { return found }
            let bytes = rest.prefix(object.size)
            rest = rest.dropFirst(object.size)
            if !object.name.isEmpty { found.append(object.measurement(bytes)) }
        }
        return found
    }

    /// How a kind of measurement is sent.
    private struct Object {
        var name: String
        /// Bytes.
        var size: Int
        var isSigned = false
        /// Digits after the point.
        var digits = 0
        var unit = ""
        /// The words for 0 and 1.
        var states: (String, String)?

        func measurement(_ bytes: ArraySlice<UInt8>) -> Measurement {
            // Little-endian, at most four bytes.
            var number = bytes.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
            if isSigned, let last = bytes.last, last & 0x80 != 0 { number -= 1 << (8 * Int64(size)) }
            if let states, number <= 1 {
                return Measurement(name: name, value: number == 0 ? states.0 : states.1, unit: "")
            }
            let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
            return Measurement(
                name: name, value: TextLayout.decimal(Double(number) / scale, digits: digits), unit: unit)
        }
    }

    private static func object(
        _ name: String, _ size: Int, _ digits: Int = 0, _ unit: String = "", isSigned: Bool = false
    ) -> Object {
        Object(name: name, size: size, isSigned: isSigned, digits: digits, unit: unit)
    }

    private static func state(_ name: String, _ off: String = "off", _ on: String = "on") -> Object {
        Object(name: name, size: 1, states: (off, on))
    }

    private static let objects: [UInt8: Object] = [
        // The packet's number says nothing of the device.
        0x00: object("", 1), 0x01: object("battery", 1, 0, "%"),
        0x02: object("temperature", 2, 2, "°C", isSigned: true), 0x03: object("humidity", 2, 2, "%"),
        0x04: object("pressure", 3, 2, "hPa"), 0x05: object("illuminance", 3, 2, "lx"),
        0x06: object("mass", 2, 2, "kg"), 0x07: object("mass", 2, 2, "lb"),
        0x08: object("dew point", 2, 2, "°C", isSigned: true), 0x09: object("count", 1),
        0x0A: object("energy", 3, 3, "kWh"), 0x0B: object("power", 3, 2, "W"), 0x0C: object("voltage", 2, 3, "V"),
        0x0D: object("PM2.5", 2, 0, "µg/m³"), 0x0E: object("PM10", 2, 0, "µg/m³"), 0x0F: state("state"),
        0x10: state("power"), 0x11: state("opening", "closed", "open"), 0x12: object("CO2", 2, 0, "ppm"),
        0x13: object("TVOC", 2, 0, "µg/m³"), 0x14: object("moisture", 2, 2, "%"),
        0x15: state("battery", "normal", "low"), 0x16: state("charging", "no", "yes"),
        0x17: state("carbon monoxide", "none", "detected"), 0x18: state("cold", "no", "yes"),
        0x19: state("connectivity"), 0x1A: state("door", "closed", "open"),
        0x1B: state("garage door", "closed", "open"),
        0x1C: state("gas", "none", "detected"), 0x1D: state("heat", "no", "yes"),
        0x1E: state("light", "none", "detected"),
        0x1F: state("lock", "locked", "unlocked"), 0x20: state("moisture", "dry", "wet"),
        0x21: state("motion", "none", "detected"), 0x22: state("moving", "no", "yes"),
        0x23: state("occupancy", "none", "detected"), 0x24: state("plug", "out", "in"),
        0x25: state("presence", "away", "home"), 0x26: state("problem", "no", "yes"),
        0x27: state("running", "no", "yes"), 0x28: state("safety", "unsafe", "safe"),
        0x29: state("smoke", "none", "detected"), 0x2A: state("sound", "none", "detected"), 0x2B: state("tamper"),
        0x2C: state("vibration", "none", "detected"), 0x2D: state("window", "closed", "open"),
        0x2E: object("humidity", 1, 0, "%"), 0x2F: object("moisture", 1, 0, "%"), 0x3A: object("button", 1),
        0x3C: object("dimmer", 2), 0x3D: object("count", 2), 0x3E: object("count", 4),
        0x3F: object("rotation", 2, 1, "°", isSigned: true), 0x40: object("distance", 2, 0, "mm"),
        0x41: object("distance", 2, 1, "m"), 0x42: object("duration", 3, 3, "s"), 0x43: object("current", 2, 3, "A"),
        0x44: object("speed", 2, 2, "m/s"), 0x45: object("temperature", 2, 1, "°C", isSigned: true),
        0x46: object("UV index", 1, 1), 0x47: object("volume", 2, 1, "l"), 0x48: object("volume", 2, 0, "ml"),
        0x49: object("flow", 2, 3, "m³/h"), 0x4A: object("voltage", 2, 1, "V"), 0x4B: object("gas", 3, 3, "m³"),
        0x4C: object("gas", 4, 3, "m³"), 0x4D: object("energy", 4, 3, "kWh"), 0x4E: object("volume", 4, 3, "l"),
        0x4F: object("water", 4, 3, "l"), 0x50: object("timestamp", 4), 0x51: object("acceleration", 2, 3, "m/s²"),
        0x52: object("gyroscope", 2, 3, "°/s"), 0x55: object("storage", 4, 3, "l"),
        0x56: object("conductivity", 2, 0, "µS/cm"), 0x57: object("temperature", 1, 0, "°C", isSigned: true),
        0x59: object("count", 1, isSigned: true), 0x5A: object("count", 2, isSigned: true),
        0x5B: object("count", 4, isSigned: true), 0x5C: object("power", 4, 2, "W", isSigned: true),
        0x5D: object("current", 2, 3, "A", isSigned: true), 0x5E: object("direction", 2, 2, "°"),
        0x5F: object("precipitation", 2, 1, "mm"), 0xF0: object("", 2), 0xF1: object("", 4), 0xF2: object("", 3),
    ]
}
