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
    var unit = ""
    /// The words for 0 and 1.
    var states: (off: String, on: String)?
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
        _ name: String, _ size: Int, _ digits: Int = 0, _ unit: String = "", isSigned: Bool = false, factor: Int = 1
    ) -> BTHomeKind {
        BTHomeKind(name: name, size: size, isSigned: isSigned, digits: digits, factor: factor, unit: unit)
    }

    private static func state(_ name: String, _ off: String = "off", _ on: String = "on") -> BTHomeKind {
        BTHomeKind(name: name, size: 1, states: (off, on))
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
        0x00: about("packet", 1), 0x01: number("battery", 1, 0, "%"),
        0x02: number("temperature", 2, 2, "°C", isSigned: true), 0x03: number("humidity", 2, 2, "%"),
        0x04: number("pressure", 3, 2, "hPa"), 0x05: number("illuminance", 3, 2, "lx"),
        0x06: number("mass", 2, 2, "kg"), 0x07: number("mass", 2, 2, "lb"),
        0x08: number("dew point", 2, 2, "°C", isSigned: true), 0x09: number("count", 1),
        0x0A: number("energy", 3, 3, "kWh"), 0x0B: number("power", 3, 2, "W"), 0x0C: number("voltage", 2, 3, "V"),
        0x0D: number("PM2.5", 2, 0, "µg/m³"), 0x0E: number("PM10", 2, 0, "µg/m³"), 0x0F: state("state"),
        0x10: state("power"), 0x11: state("opening", "closed", "open"), 0x12: number("CO2", 2, 0, "ppm"),
        0x13: number("TVOC", 2, 0, "µg/m³"), 0x14: number("moisture", 2, 2, "%"),
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
        0x2E: number("humidity", 1, 0, "%"), 0x2F: number("moisture", 1, 0, "%"), 0x3A: number("button", 1),
        0x3C: dimmer, 0x3D: number("count", 2), 0x3E: number("count", 4),
        0x3F: number("rotation", 2, 1, "°", isSigned: true), 0x40: number("distance", 2, 0, "mm"),
        0x41: number("distance", 2, 1, "m"), 0x42: number("duration", 3, 3, "s"), 0x43: number("current", 2, 3, "A"),
        0x44: number("speed", 2, 2, "m/s"), 0x45: number("temperature", 2, 1, "°C", isSigned: true),
        0x46: number("UV index", 1, 1), 0x47: number("volume", 2, 1, "l"), 0x48: number("volume", 2, 0, "ml"),
        0x49: number("flow", 2, 3, "m³/h"), 0x4A: number("voltage", 2, 1, "V"), 0x4B: number("gas", 3, 3, "m³"),
        0x4C: number("gas", 4, 3, "m³"), 0x4D: number("energy", 4, 3, "kWh"), 0x4E: number("volume", 4, 3, "l"),
        0x4F: number("water", 4, 3, "l"), 0x50: number("timestamp", 4), 0x51: number("acceleration", 2, 3, "m/s²"),
        0x52: number("gyroscope", 2, 3, "°/s"), 0x55: number("storage", 4, 3, "l"),
        0x56: number("conductivity", 2, 0, "µS/cm"), 0x57: number("temperature", 1, 0, "°C", isSigned: true),
        0x58: number("temperature", 1, 2, "°C", isSigned: true, factor: 35), 0x59: number("count", 1, isSigned: true),
        0x5A: number("count", 2, isSigned: true),
        0x5B: number("count", 4, isSigned: true), 0x5C: number("power", 4, 2, "W", isSigned: true),
        0x5D: number("current", 2, 3, "A", isSigned: true), 0x5E: number("direction", 2, 2, "°"),
        0x5F: number("precipitation", 2, 1, "mm"), 0x60: number("channel", 1),
        0x61: number("rotational speed", 2, 0, "rpm"),
        0x62: number("speed", 4, 6, "m/s", isSigned: true), 0x63: number("acceleration", 4, 6, "m/s²", isSigned: true),
        0x64: number("light level", 1), 0x53: BTHomeKind(name: "text", size: nil, isText: true),
        0x54: BTHomeKind(name: "raw", size: nil), 0x3B: BTHomeKind(name: "command", size: nil, isCommand: true),
        0x65: about("settings", 1), 0xF0: about("device type", 2), 0xF1: version(4), 0xF2: version(3),
    ]
}
