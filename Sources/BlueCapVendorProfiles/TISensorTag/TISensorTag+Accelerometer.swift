// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TISensorTag {
    /// The accelerometer (Kionix KXTJ9, ±2 g): samples, a switch, and the time between samples.
    public enum AccelerometerService: ServiceConfigurable {
        public static let uuid = TISensorTag.uuid(0xaa10)
        public static let name = "TI Accelerometer"
        public static let tag = TISensorTag.tag
    }
}

extension TISensorTag.AccelerometerService {
    /// One sample in g: three signed bytes of 1/64 g each, in the order x, y, z, with x and y negated (CC2541 SensorTag
    /// user guide, Accelerometer).
    ///
    /// x and y can be −127/64 through 2 g, z −2 through 127/64 g.
    public struct Data: TISensorTag.Axes, CharacteristicConfigurable {
        public static let uuid = TISensorTag.uuid(0xaa11)
        public static let name = "Accelerometer Data"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let initialValue: Bytes? = [0xc0, 0xe0, 0xa0]
        /// One unit of the value stands for 1/64 g.
        public static var unit: Double { 1 / 64 }
        public static var units: [String: String] { ["x": "g", "y": "g", "z": "g"] }

        public typealias RawType = Int8

        /// The x axis as it is sent, in −1/64 g.
        public let xRaw: Int8
        /// The y axis as it is sent, in −1/64 g.
        public let yRaw: Int8
        /// The z axis as it is sent, in 1/64 g.
        public let zRaw: Int8

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

        public static let uuid = TISensorTag.uuid(0xaa12)
        public static let name = "Accelerometer Enabled"
    }

    /// The time from sample to sample: one byte of 10 ms each (CC2541 SensorTag user guide, Accelerometer).
    public struct UpdatePeriod: TISensorTag.Period {
        public static let uuid = TISensorTag.uuid(0xaa13)
        public static let name = "Accelerometer Update Period"
        public static let initialValue: Bytes? = [100]

        /// The number as it is sent, in units of 10 ms; 0 means the same as 1.
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }
}
