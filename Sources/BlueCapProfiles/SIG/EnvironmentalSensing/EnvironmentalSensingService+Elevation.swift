// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// The height above sea level, in 0.01 m (GATT Specification Supplement, Elevation).
    public struct Elevation: ScaledValue {
        /// Steps of 0.01.
        public typealias Step = Per100
        public static let uuid: BluetoothUUID = "2A6C"
        public static let name = "Elevation"
        public static let unit = "m"

        /// The number as it is sent.
        public let rawValue: Int24

        public init(rawValue: Int24) { self.rawValue = rawValue }
    }
}
