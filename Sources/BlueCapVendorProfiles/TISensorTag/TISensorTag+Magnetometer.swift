// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TISensorTag {
    /// The magnetometer (Freescale MAG3110, ±1000 µT): samples, a switch, and the time between samples.
    public enum MagnetometerService: ServiceConfigurable {
        /// The UUID of the service: F000AA30-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa30)
        /// The name of the service.
        public static let name = "TI Magnetometer"
        /// The tag of the service.
        public static let tag = TISensorTag.tag
    }
}

extension TISensorTag.MagnetometerService {
    /// One sample in µT: three signed 16-bit numbers of 2000/65536 µT each, in the order x, y, z, with x and y negated
    /// (CC2541 SensorTag user guide, Magnetometer).
    public struct Data: TISensorTag.Axes, CharacteristicConfigurable {
        /// The UUID of the characteristic: F000AA31-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa31)
        /// The name of the characteristic.
        public static let name = "Magnetometer Data"
        /// A central may read the value and be notified of it.
        public static let properties: CharacteristicProperties = [.read, .notify]
        /// The value that a peripheral offers first: −2183, 1916, 1255 as they are sent, (66.62, −58.47, 38.30) µT.
        public static let initialValue: Bytes? = [0x79, 0xf7, 0x7c, 0x07, 0xe7, 0x04]
        /// One unit of the value stands for 2000/65536 µT.
        public static var unit: Double { 2000 / 65536 }
        /// The unit of `x`, `y` and `z`: µT.
        public static var units: [String: String] { ["x": "µT", "y": "µT", "z": "µT"] }

        /// The type of the numbers.
        public typealias RawType = Int16

        /// The x axis as it is sent, in −2000/65536 µT.
        public let xRaw: Int16
        /// The y axis as it is sent, in −2000/65536 µT.
        public let yRaw: Int16
        /// The z axis as it is sent, in 2000/65536 µT.
        public let zRaw: Int16

        /// Creates a sample from the three numbers as they are sent.
        ///
        /// - Parameters:
        ///   - xRaw: The x axis in counts, turned round as ``TISensorTag/Axes`` describes.
        ///   - yRaw: The y axis in counts, turned round as well.
        ///   - zRaw: The z axis in counts.
        @inlinable
        public init(xRaw: Int16, yRaw: Int16, zRaw: Int16) {
            (self.xRaw, self.yRaw, self.zRaw) = (xRaw, yRaw, zRaw)
        }
    }

    /// The switch that starts and stops the sensor: one byte.
    public enum Enabled: UInt8, TISensorTag.Switch {
        /// Off, as after power-on.
        case no = 0
        /// The sensor is on.
        case yes = 1

        /// The UUID of the attribute: F000AA32-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa32)
        /// The name of the characteristic.
        public static let name = "Magnetometer Enabled"
    }

    /// The time from sample to sample: one byte of 10 ms each (CC2541 SensorTag user guide, Magnetometer).
    public struct UpdatePeriod: TISensorTag.Period {
        /// The UUID of the attribute: F000AA33-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa33)
        /// The name of the characteristic.
        public static let name = "Magnetometer Update Period"
        /// The value that a peripheral offers first: 200, that is two seconds, as the SensorTag has it after power-on.
        public static let initialValue: Bytes? = [200]

        /// The number as it is sent, in units of 10 ms; 0 means the same as 1.
        public let rawValue: UInt8

        /// Creates a period from the number as it is sent; every number is allowed.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }
}
