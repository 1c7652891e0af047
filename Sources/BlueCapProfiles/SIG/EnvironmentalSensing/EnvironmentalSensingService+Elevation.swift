// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// The height above sea level, in 0.01 m (GATT Specification Supplement, Elevation).
    public struct Elevation: ScaledValue {
        /// Steps of 0.01.
        public typealias Step = Per100
        /// The UUID that is assigned to the attribute: 2A6C.
        public static let uuid: BluetoothUUID = "2A6C"
        /// The name of the characteristic.
        public static let name = "Elevation"
        /// The unit of the value is metres.
        public static let unit = "m"

        /// The number as it is sent.
        public let rawValue: Int24

        /// Creates a value from the number as it is sent.
        public init(rawValue: Int24) { self.rawValue = rawValue }
    }
}
