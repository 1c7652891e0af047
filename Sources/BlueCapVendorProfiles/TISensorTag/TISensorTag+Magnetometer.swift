// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TISensorTag {
    /// The magnetometer (Freescale MAG3110, ±1000 µT): samples, a switch, and the time between samples.
    public enum MagnetometerService: ServiceConfigurable {
        public static let uuid = TISensorTag.uuid(0xaa30)
        public static let name = "TI Magnetometer"
        public static let tag = TISensorTag.tag
    }
}

extension TISensorTag.MagnetometerService {
    /// One sample in µT: three signed 16-bit numbers of 2000/65536 µT each, in the order x, y, z, with x and y negated
    /// (CC2541 SensorTag user guide, Magnetometer).
    public struct Data: TISensorTag.Axes, CharacteristicConfigurable {
        public static let uuid = TISensorTag.uuid(0xaa31)
        public static let name = "Magnetometer Data"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let initialValue: Bytes? = [0x79, 0xf7, 0x7c, 0x07, 0xe7, 0x04]
        /// One unit of the value stands for 2000/65536 µT.
        public static var unit: Double { 2000 / 65536 }
        public static var units: [String: String] { ["x": "µT", "y": "µT", "z": "µT"] }

        public typealias RawType = Int16

        /// The x axis as it is sent, in −2000/65536 µT.
        public let xRaw: Int16
        /// The y axis as it is sent, in −2000/65536 µT.
        public let yRaw: Int16
        /// The z axis as it is sent, in 2000/65536 µT.
        public let zRaw: Int16

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

        public static let uuid = TISensorTag.uuid(0xaa32)
        public static let name = "Magnetometer Enabled"
    }

    /// The time from sample to sample: one byte of 10 ms each (CC2541 SensorTag user guide, Magnetometer).
    public struct UpdatePeriod: TISensorTag.Period {
        public static let uuid = TISensorTag.uuid(0xaa33)
        public static let name = "Magnetometer Update Period"
        public static let initialValue: Bytes? = [200]

        /// The number as it is sent, in units of 10 ms; 0 means the same as 1.
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }
}
