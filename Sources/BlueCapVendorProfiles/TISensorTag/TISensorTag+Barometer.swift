// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TISensorTag {
    /// The barometer (Epcos T5400): samples, the calibration that gives them meaning, and a switch.
    ///
    /// Write ``BarometerService/Enabled/calibrate`` and read ``BarometerService/CalibrationData`` once, then write
    /// ``BarometerService/Enabled/yes`` and turn each sample into pressure with
    /// ``BarometerService/Data/pressure(using:)``.
    public enum BarometerService: ServiceConfigurable {
        public static let uuid = TISensorTag.uuid(0xaa40)
        public static let name = "TI Barometer"
        public static let tag = TISensorTag.tag
    }
}

extension TISensorTag.BarometerService {
    /// One sample: the temperature as a signed and the pressure as an unsigned 16-bit number (CC2541 SensorTag user
    /// guide, Barometric Pressure Sensor).
    public struct Data: RawPairDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
        public static let uuid = TISensorTag.uuid(0xaa41)
        public static let name = "Barometer Data"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let initialValue: Bytes? = [0xd9, 0xf6, 0xcb, 0x84]

        /// The temperature as it is sent.
        public let temperatureRaw: Int16
        /// The pressure as it is sent.
        public let pressureRaw: UInt16

        /// Creates a sample from the two numbers as they are sent.
        ///
        /// - Parameters:
        ///   - temperatureRaw: The temperature, which the calibration converts.
        ///   - pressureRaw: The pressure, which the calibration converts.
        public init(temperatureRaw: Int16, pressureRaw: UInt16) {
            (self.temperatureRaw, self.pressureRaw) = (temperatureRaw, pressureRaw)
        }

        /// Creates a sample from the two numbers as they are sent; every number is allowed.
        ///
        /// - Parameters:
        ///   - rawValue1: The temperature, which the calibration converts.
        ///   - rawValue2: The pressure, which the calibration converts.
        public init(rawValue1: Int16, rawValue2: UInt16) {
            self.init(temperatureRaw: rawValue1, pressureRaw: rawValue2)
        }

        /// The temperature as it is sent.
        public var rawValue1: Int16 { temperatureRaw }
        /// The pressure as it is sent.
        public var rawValue2: UInt16 { pressureRaw }

        /// Returns the temperature in °C: c2/2¹⁰ + c1·t/2²⁴, with t as it is sent.
        public func temperature(using calibration: CalibrationData) -> Double {
            Double(calibration.c2) / 0x1p10 + Double(calibration.c1) * Double(temperatureRaw) / 0x1p24
        }

        /// Returns the pressure in Pa: (S·p + O)/2¹⁴ with the sensitivity S = c3 + c4·t/2¹⁷ + c5·t²/2³⁴, the offset O =
        /// c6·2¹⁴ + c7·t/2³ + c8·t²/2¹⁹, and t and p as they are sent.
        public func pressure(using calibration: CalibrationData) -> Double {
            let raw = Double(temperatureRaw)
            let sensitivity =
                Double(calibration.c3) + Double(calibration.c4) * raw / 0x1p17 + Double(calibration.c5) * raw * raw
                / 0x1p34
            let offset =
                Double(calibration.c6) * 0x1p14 + Double(calibration.c7) * raw / 0x1p3
                + Double(calibration.c8) * raw * raw / 0x1p19
            return (sensitivity * Double(pressureRaw) + offset) / 0x1p14
        }

        public var stringValue: [String: String] {
            ["temperatureRaw": "\(temperatureRaw)", "pressureRaw": "\(pressureRaw)"]
        }

        public init?(stringValue: [String: String]) {
            guard let temperature = stringValue["temperatureRaw"].flatMap(Int16.init),
                let pressure = stringValue["pressureRaw"].flatMap(UInt16.init)
            else { return nil }
            self.init(temperatureRaw: temperature, pressureRaw: pressure)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            guard reader.remaining >= Self.size else {
                throw .truncated(needed: Self.size, available: reader.remaining, offset: reader.offset)
            }
            temperatureRaw = try reader.read()
            pressureRaw = try reader.read()
        }
    }

    /// The eight coefficients that the factory measured for one sensor: four unsigned 16-bit numbers and then four
    /// signed ones (CC2541 SensorTag user guide, Barometric Pressure Sensor).
    public struct CalibrationData: RawArrayPairDeserializable, CharacteristicConfigurable, StringDeserializable,
        Hashable
    {
        public static let uuid = TISensorTag.uuid(0xaa43)
        public static let name = "Barometer Calibration Data"
        public static let properties: CharacteristicProperties = [.read, .notify]
        /// The eight bytes of c1 through c4.
        public static let size1 = 8
        /// The eight bytes of c5 through c8.
        public static let size2 = 8
        public static let initialValue: Bytes? = [
            0x81, 0xb2, 0xf8, 0x63, 0xfe, 0xbe, 0x4e, 0x8d, 0x59, 0x1b, 0xc6, 0x07, 0xbf, 0xf6, 0xa6, 0x15,
        ]

        /// The slope of the temperature.
        public let c1: UInt16
        /// The temperature at zero.
        public let c2: UInt16
        /// The sensitivity to pressure.
        public let c3: UInt16
        /// The sensitivity's slope over the temperature.
        public let c4: UInt16
        /// The sensitivity's curvature over the temperature.
        public let c5: Int16
        /// The offset of the pressure.
        public let c6: Int16
        /// The offset's slope over the temperature.
        public let c7: Int16
        /// The offset's curvature over the temperature.
        public let c8: Int16

        /// Creates a calibration from its coefficients, or returns nil for other counts than four and four.
        ///
        /// - Parameters:
        ///   - rawValue1: The coefficients c1 through c4.
        ///   - rawValue2: The coefficients c5 through c8.
        public init?(rawValue1: [UInt16], rawValue2: [Int16]) {
            guard rawValue1.count == 4, rawValue2.count == 4 else { return nil }
            (c1, c2, c3, c4) = (rawValue1[0], rawValue1[1], rawValue1[2], rawValue1[3])
            (c5, c6, c7, c8) = (rawValue2[0], rawValue2[1], rawValue2[2], rawValue2[3])
        }

        /// c1 through c4.
        public var rawValue1: [UInt16] { [c1, c2, c3, c4] }
        /// c5 through c8.
        public var rawValue2: [Int16] { [c5, c6, c7, c8] }

        public var stringValue: [String: String] {
            [
                "c1": "\(c1)", "c2": "\(c2)", "c3": "\(c3)", "c4": "\(c4)",
                "c5": "\(c5)", "c6": "\(c6)", "c7": "\(c7)", "c8": "\(c8)",
            ]
        }

        public init?(stringValue: [String: String]) {
            self.init(
                rawValue1: ["c1", "c2", "c3", "c4"].compactMap { stringValue[$0].flatMap(UInt16.init) },
                rawValue2: ["c5", "c6", "c7", "c8"].compactMap { stringValue[$0].flatMap(Int16.init) })
        }

        /// Reads the eight coefficients without the arrays that `rawValue1` and `rawValue2` make.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            guard reader.remaining >= Self.size else {
                throw .truncated(needed: Self.size, available: reader.remaining, offset: reader.offset)
            }
            (c1, c2, c3, c4) = (try reader.read(), try reader.read(), try reader.read(), try reader.read())
            (c5, c6, c7, c8) = (try reader.read(), try reader.read(), try reader.read(), try reader.read())
        }

        public var encodedByteCount: Int { Self.size }

        public func encode(into output: inout OutputRawSpan) {
            output.write(c1)
            output.write(c2)
            output.write(c3)
            output.write(c4)
            output.write(c5)
            output.write(c6)
            output.write(c7)
            output.write(c8)
        }
    }

    /// The switch of the sensor: one byte.
    public enum Enabled: UInt8, TISensorTag.Switch {
        /// Nothing, as after power-on.
        case no = 0
        /// The sensor is on.
        case yes = 1
        /// The sensor reads its coefficients into ``CalibrationData``.
        case calibrate = 2

        public static let uuid = TISensorTag.uuid(0xaa42)
        public static let name = "Barometer Enabled"

        public var choice: String {
            switch self {
            case .no: "No"
            case .yes: "Yes"
            case .calibrate: "Calibrate"
            }
        }
    }
}
