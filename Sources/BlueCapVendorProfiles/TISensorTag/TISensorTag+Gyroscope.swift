// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TISensorTag {
    /// The gyroscope (InvenSense IMU-3000, ±250 °/s): samples, and a switch for each axis.
    public enum GyroscopeService: ServiceConfigurable {
        public static let uuid = TISensorTag.uuid(0xaa50)
        public static let name = "TI Gyroscope"
        public static let tag = TISensorTag.tag
    }
}

extension TISensorTag.GyroscopeService {
    /// One sample in °/s: three signed 16-bit numbers of 500/65536 °/s each, in the order x, y, z, with x and y negated
    /// (CC2541 SensorTag user guide, Gyroscope).
    public struct Data: TISensorTag.Axes, CharacteristicConfigurable {
        public static let uuid = TISensorTag.uuid(0xaa51)
        public static let name = "Gyroscope Data"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let initialValue: Bytes? = [0xe8, 0xff, 0x25, 0xff, 0xe9, 0xff]
        /// One unit of the value stands for 500/65536 °/s.
        public static var unit: Double { 500 / 65536 }
        public static var units: [String: String] { ["x": "°/s", "y": "°/s", "z": "°/s"] }

        public typealias RawType = Int16

        /// The x axis as it is sent, in −500/65536 °/s.
        public let xRaw: Int16
        /// The y axis as it is sent, in −500/65536 °/s.
        public let yRaw: Int16
        /// The z axis as it is sent, in 500/65536 °/s.
        public let zRaw: Int16

        @inlinable
        public init(xRaw: Int16, yRaw: Int16, zRaw: Int16) {
            (self.xRaw, self.yRaw, self.zRaw) = (xRaw, yRaw, zRaw)
        }
    }

    /// The axes that the sensor measures: one byte with a bit for each of x, y and z, from the lowest.
    public enum Enabled: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
        /// The sensor measures no axis, as after power-on.
        case no = 0
        /// The sensor measures x.
        case xAxis = 1
        /// The sensor measures y.
        case yAxis = 2
        /// The sensor measures x and y.
        case xyAxis = 3
        /// The sensor measures z.
        case zAxis = 4
        /// The sensor measures x and z.
        case xzAxis = 5
        /// The sensor measures y and z.
        case yzAxis = 6
        /// The sensor measures x, y and z.
        case xyzAxis = 7

        public static let uuid = TISensorTag.uuid(0xaa52)
        public static let name = "Gyroscope Enabled"
        public static let properties: CharacteristicProperties = [.read, .write]
        public static let initialValue: Bytes? = [0]

        /// Whether x is measured.
        public var isXEnabled: Bool { rawValue & 1 != 0 }
        /// Whether y is measured.
        public var isYEnabled: Bool { rawValue & 2 != 0 }
        /// Whether z is measured.
        public var isZEnabled: Bool { rawValue & 4 != 0 }

        /// "No", or the axes followed by "Axis", as in "XZAxis".
        public var choice: String {
            guard self != .no else { return "No" }
            return (isXEnabled ? "X" : "") + (isYEnabled ? "Y" : "") + (isZEnabled ? "Z" : "") + "Axis"
        }
    }
}
