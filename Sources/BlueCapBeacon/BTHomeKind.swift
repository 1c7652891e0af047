// SPDX-License-Identifier: MIT

/// The encoding of a kind of object in a BTHome frame (bthome.io/format, the table of object identifiers).
struct BTHomeKind: Sendable {
    var name: String
    /// The size in bytes; nil if a byte before the object has it.
    var size: Int?
    var isSigned = false
    /// The number of digits after the decimal point.
    var digits = 0
    /// The factor that the number is multiplied by before the decimal point is set.
    var factor = 1
    /// The quantity or the state; nil for an event, and for what is no measurement.
    var sensorKind: SensorKind?
    /// The unit of the number; empty if it has none.
    var unit = ""
    /// Whether it is an event of a dimmer: the direction in which it was turned, and the number of steps.
    var isTurn = false
    var isText = false
    /// Whether it is a command: the low five bits of its length count the bytes after the first one.
    var isCommand = false
    /// Whether it is a version, whose parts are its bytes from the last to the first.
    var isVersion = false
    /// Whether it is about more than the packet and the make of the device.
    var isMeasurement = true

    /// The divisor that sets the decimal point: a value is the number sent, times the factor, divided by this.
    var divisor: Double { (0..<digits).reduce(1) { divisor, _ in divisor * 10 } }

    private static func number(
        _ name: String, _ size: Int, _ digits: Int = 0, _ unit: String? = nil, isSigned: Bool = false, factor: Int = 1
    ) -> BTHomeKind {
        let kind = SensorKind.number(name)
        return BTHomeKind(
            name: name, size: size, isSigned: isSigned, digits: digits, factor: factor, sensorKind: kind,
            unit: unit ?? kind?.units.first ?? "")
    }

    private static func state(_ name: String) -> BTHomeKind {
        BTHomeKind(name: name, size: 1, sensorKind: .state(name))
    }

    private static func about(_ name: String, _ size: Int) -> BTHomeKind {
        BTHomeKind(name: name, size: size, isMeasurement: false)
    }

    private static func version(_ size: Int) -> BTHomeKind {
        BTHomeKind(name: "firmware", size: size, isVersion: true, isMeasurement: false)
    }

    /// The event of a dimmer.
    static let dimmer = BTHomeKind(name: "dimmer", size: 2, isTurn: true)

    /// The number of bytes after a length; nil for a length that is not known.
    func byteCount(length: UInt8) -> Int? {
        if !isCommand { return Int(length) }
        return length <= 0x1F ? Int(length) + 1 : nil
    }

    /// The length that precedes so many bytes.
    func length(byteCount: Int) -> UInt8 { UInt8(truncatingIfNeeded: isCommand ? byteCount - 1 : byteCount) }

    static let all: [UInt8: BTHomeKind] = [
        0x00: about("packet", 1), 0x01: number("battery", 1), 0x02: number("temperature", 2, 2, isSigned: true),
        0x03: number("humidity", 2, 2), 0x04: number("pressure", 3, 2), 0x05: number("illuminance", 3, 2),
        0x06: number("mass", 2, 2), 0x07: number("mass", 2, 2, "lb"), 0x08: number("dew point", 2, 2, isSigned: true),
        0x09: number("count", 1), 0x0A: number("energy", 3, 3), 0x0B: number("power", 3, 2),
        0x0C: number("voltage", 2, 3), 0x0D: number("PM2.5", 2), 0x0E: number("PM10", 2), 0x0F: state("state"),
        0x10: state("power"), 0x11: state("opening"), 0x12: number("CO2", 2), 0x13: number("TVOC", 2),
        0x14: number("moisture", 2, 2), 0x15: state("battery"), 0x16: state("charging"),
        0x17: state("carbon monoxide"), 0x18: state("cold"), 0x19: state("connectivity"), 0x1A: state("door"),
        0x1B: state("garage door"), 0x1C: state("gas"), 0x1D: state("heat"), 0x1E: state("light"), 0x1F: state("lock"),
        0x20: state("moisture"), 0x21: state("motion"), 0x22: state("moving"), 0x23: state("occupancy"),
        0x24: state("plug"), 0x25: state("presence"), 0x26: state("problem"), 0x27: state("running"),
        0x28: state("safety"), 0x29: state("smoke"), 0x2A: state("sound"), 0x2B: state("tamper"),
        0x2C: state("vibration"), 0x2D: state("window"), 0x2E: number("humidity", 1), 0x2F: number("moisture", 1),
        0x3A: number("button", 1), 0x3C: dimmer, 0x3D: number("count", 2), 0x3E: number("count", 4),
        0x3F: number("rotation", 2, 1, isSigned: true), 0x40: number("distance", 2),
        0x41: number("distance", 2, 1, "m"), 0x42: number("duration", 3, 3), 0x43: number("current", 2, 3),
        0x44: number("speed", 2, 2), 0x45: number("temperature", 2, 1, isSigned: true), 0x46: number("UV index", 1, 1),
        0x47: number("volume", 2, 1), 0x48: number("volume", 2, 0, "ml"), 0x49: number("flow", 2, 3),
        0x4A: number("voltage", 2, 1), 0x4B: number("gas", 3, 3), 0x4C: number("gas", 4, 3),
        0x4D: number("energy", 4, 3), 0x4E: number("volume", 4, 3), 0x4F: number("water", 4, 3),
        0x50: number("timestamp", 4), 0x51: number("acceleration", 2, 3), 0x52: number("gyroscope", 2, 3),
        0x55: number("storage", 4, 3), 0x56: number("conductivity", 2), 0x57: number("temperature", 1, isSigned: true),
        0x58: number("temperature", 1, 2, isSigned: true, factor: 35), 0x59: number("count", 1, isSigned: true),
        0x5A: number("count", 2, isSigned: true), 0x5B: number("count", 4, isSigned: true),
        0x5C: number("power", 4, 2, isSigned: true), 0x5D: number("current", 2, 3, isSigned: true),
        0x5E: number("direction", 2, 2), 0x5F: number("precipitation", 2, 1), 0x60: number("channel", 1),
        0x61: number("rotational speed", 2), 0x62: number("speed", 4, 6, isSigned: true),
        0x63: number("acceleration", 4, 6, isSigned: true), 0x64: number("light level", 1),
        0x53: BTHomeKind(name: "text", size: nil, isText: true), 0x54: BTHomeKind(name: "raw", size: nil),
        0x3B: BTHomeKind(name: "command", size: nil, isCommand: true), 0x65: about("settings", 1),
        0xF0: about("device type", 2), 0xF1: version(4), 0xF2: version(3),
    ]
}
