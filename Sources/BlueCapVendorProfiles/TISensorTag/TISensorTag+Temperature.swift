// SPDX-License-Identifier: MIT

import BlueCapProfiles
public import BlueCapSerDe

extension TISensorTag {
    /// The infrared thermometer (Texas Instruments TMP006): the temperature of an object in front of it and its own,
    /// and a switch.
    public enum TemperatureService: ServiceConfigurable {
        public static let uuid = TISensorTag.uuid(0xaa00)
        public static let name = "TI Temperature"
        public static let tag = TISensorTag.tag
    }
}

extension TISensorTag.TemperatureService {
    /// One sample: two signed 16-bit numbers, the thermopile's voltage and then the sensor's own temperature (CC2541
    /// SensorTag user guide, IR Temperature Sensor).
    ///
    /// The object's temperature follows from both (TMP006 User's Guide, SBOU107, 5.1).
    public struct Data: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
        public static let uuid = TISensorTag.uuid(0xaa01)
        public static let name = "Temperature Data"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let size = 4
        public static let initialValue: Bytes? = [0x54, 0xff, 0x3c, 0x0d]

        /// The thermopile's voltage as it is sent, in 156.25 nV.
        public let objectRaw: Int16
        /// The sensor's own temperature as it is sent, in 1/128 °C.
        public let ambientRaw: Int16

        /// Creates a sample from the two numbers as they are sent.
        ///
        /// - Parameters:
        ///   - objectRaw: The thermopile's voltage in 156.25 nV.
        ///   - ambientRaw: The sensor's own temperature in 1/128 °C.
        public init(objectRaw: Int16, ambientRaw: Int16) {
            (self.objectRaw, self.ambientRaw) = (objectRaw, ambientRaw)
        }

        /// Creates a sample from both temperatures, rounded to the nearest counts.
        ///
        /// - Parameters:
        ///   - object: The temperature of the object in °C.
        ///   - ambient: The sensor's own temperature in °C, −256 to 255.99.
        /// - Throws: `SerDeError.invalidValue(offset:)`, offset 2 for an ambient temperature that the number cannot
        ///   hold, offset 0 for an object below absolute zero or one whose voltage beside that ambient temperature the
        ///   number cannot hold.
        public init(object: Double, ambient: Double) throws(SerDeError) {
            guard let ambientRaw = Int16(exactly: (ambient * 128).rounded()) else { throw .invalidValue(offset: 2) }
            guard object >= -273.15,
                let voltage = Thermopile(celsius: Double(ambientRaw) / 128).voltage(object: object),
                let objectRaw = Int16(exactly: (voltage / Thermopile.voltsPerCount).rounded())
            else { throw .invalidValue(offset: 0) }
            self.init(objectRaw: objectRaw, ambientRaw: ambientRaw)
        }

        /// Creates a sample from the two numbers as they are sent, the object's first; nil for any other count.
        public init?(rawValue: [Int16]) {
            guard rawValue.count == 2 else { return nil }
            self.init(objectRaw: rawValue[0], ambientRaw: rawValue[1])
        }

        /// The two numbers as they are sent, the object's first.
        public var rawValue: [Int16] { [objectRaw, ambientRaw] }

        /// The sensor's own temperature in °C.
        public var ambient: Double { Double(ambientRaw) / 128 }

        /// The temperature of the object in °C; not a number where the sample means one below absolute zero.
        public var object: Double {
            Thermopile(celsius: ambient).object(voltage: Double(objectRaw) * Thermopile.voltsPerCount)
        }

        public static var units: [String: String] { ["object": "°C", "ambient": "°C"] }

        public var stringValue: [String: String] {
            [
                "object": DecimalText.fixed(object, 2), "ambient": DecimalText.fixed(ambient, 2),
                "objectRaw": "\(objectRaw)", "ambientRaw": "\(ambientRaw)",
            ]
        }

        public init?(stringValue: [String: String]) {
            guard let object = stringValue["objectRaw"].flatMap(Int16.init),
                let ambient = stringValue["ambientRaw"].flatMap(Int16.init)
            else { return nil }
            self.init(objectRaw: object, ambientRaw: ambient)
        }

        /// Reads the two numbers without the array that `rawValue` makes.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            guard reader.remaining >= Self.size else {
                throw .truncated(needed: Self.size, available: reader.remaining, offset: reader.offset)
            }
            objectRaw = try reader.read()
            ambientRaw = try reader.read()
        }

        public var encodedByteCount: Int { Self.size }

        public func encode(into output: inout OutputRawSpan) {
            output.write(objectRaw)
            output.write(ambientRaw)
        }
    }

    /// The switch that starts and stops the sensor: one byte.
    public enum Enabled: UInt8, TISensorTag.Switch {
        /// Off, as after power-on.
        case no = 0
        /// The sensor is on.
        case yes = 1

        public static let uuid = TISensorTag.uuid(0xaa02)
        public static let name = "Temperature Enabled"
    }
}

/// The TMP006 at one temperature of its own: its sensitivity and offset there.
private struct Thermopile {
    static let voltsPerCount = 1.5625e-7
    private static let curvature = 13.4

    private let kelvinToFourth: Double
    private let sensitivity: Double
    private let offset: Double

    init(celsius: Double) {
        let kelvin = celsius + 273.15
        let delta = kelvin - 298.15
        kelvinToFourth = kelvin * kelvin * kelvin * kelvin
        sensitivity = 6.4e-14 * (1 + 1.75e-3 * delta - 1.678e-5 * delta * delta)
        offset = -2.94e-5 - 5.7e-7 * delta + 4.63e-9 * delta * delta
    }

    /// °C of an object in front of it.
    func object(voltage: Double) -> Double {
        let difference = voltage - offset
        let radiation = difference + Self.curvature * difference * difference
        return (kelvinToFourth + radiation / sensitivity).squareRoot().squareRoot() - 273.15
    }

    /// The voltage that an object causes; nil for one so cold that there is none.
    func voltage(object celsius: Double) -> Double? {
        let kelvin = celsius + 273.15
        let radiation = (kelvin * kelvin * kelvin * kelvin - kelvinToFourth) * sensitivity
        let root = (1 + 4 * Self.curvature * radiation).squareRoot()
        guard root.isFinite else { return nil }
        return offset + (root - 1) / (2 * Self.curvature)
    }
}
