// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TISensorTag {
    /// The accelerometer (Kionix KXTJ9, ±2 g): samples, a switch, and the time between samples.
    public enum AccelerometerService: ServiceConfigurable {
        /// The UUID of the service: F000AA10-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa10)
        /// The name of the service.
        public static let name = "TI Accelerometer"
        /// The tag of the service.
        public static let tag = TISensorTag.tag
    }
}

extension TISensorTag.AccelerometerService {
    /// One sample in g: three signed bytes of 1/64 g each, in the order x, y, z, with x and y negated (CC2541 SensorTag
    /// user guide, Accelerometer).
    ///
    /// x and y can be −127/64 through 2 g, z −2 through 127/64 g.
    public struct Data: TISensorTag.Axes, CharacteristicConfigurable {
        /// The UUID of the characteristic: F000AA11-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa11)
        /// The name of the characteristic.
        public static let name = "Accelerometer Data"
        /// A central may read the value and be notified of it.
        public static let properties: CharacteristicProperties = [.read, .notify]
        /// The value that a peripheral offers first: (1.0, 0.5, −1.5) g.
        public static let initialValue: Bytes? = [0xc0, 0xe0, 0xa0]
        /// One unit of the value stands for 1/64 g.
        public static var unit: Double { 1 / 64 }
        /// The unit of `x`, `y` and `z`: g.
        public static var units: [String: String] { ["x": "g", "y": "g", "z": "g"] }

        /// The type of the numbers.
        public typealias RawType = Int8

        /// The x axis as it is sent, in −1/64 g.
        public let xRaw: Int8
        /// The y axis as it is sent, in −1/64 g.
        public let yRaw: Int8
        /// The z axis as it is sent, in 1/64 g.
        public let zRaw: Int8

        /// Creates a sample from the three numbers as they are sent.
        ///
        /// - Parameters:
        ///   - xRaw: The x axis in counts, turned round as ``TISensorTag/Axes`` describes.
        ///   - yRaw: The y axis in counts, turned round as well.
        ///   - zRaw: The z axis in counts.
        @inlinable
        public init(xRaw: Int8, yRaw: Int8, zRaw: Int8) {
            (self.xRaw, self.yRaw, self.zRaw) = (xRaw, yRaw, zRaw)
        }
    }

    /// The switch that starts and stops the sensor: one byte.
    public enum Enabled: UInt8, TISensorTag.Switch {
        /// Off, as after power-on.
        case no = 0
        /// The sensor is on.
        case yes = 1

        /// The UUID of the attribute: F000AA12-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa12)
        /// The name of the characteristic.
        public static let name = "Accelerometer Enabled"
    }

    /// The time from sample to sample: one byte of 10 ms each (CC2541 SensorTag user guide, Accelerometer).
    public struct UpdatePeriod: TISensorTag.Period {
        /// The UUID of the attribute: F000AA13-0451-4000-B000-000000000000.
        public static let uuid = TISensorTag.uuid(0xaa13)
        /// The name of the characteristic.
        public static let name = "Accelerometer Update Period"
        /// The value that a peripheral offers first: 100, that is one second.
        public static let initialValue: Bytes? = [100]

        /// The number as it is sent, in units of 10 ms; 0 means the same as 1.
        public let rawValue: UInt8

        /// Creates a period from the number as it is sent; every number is allowed.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }
}
