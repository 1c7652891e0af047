// SPDX-License-Identifier: MIT

import BlueCapProfiles
public import BlueCapSerDe

extension Nordic {
    /// The temperature of the chip.
    public enum DeviceTemperatureService: ServiceConfigurable {
        public static let uuid = Gnosus.uuid(0x0003)
        public static let name = "Nordic Device Temperature"
        public static let tag = Nordic.tag
    }
}

extension Nordic.DeviceTemperatureService {
    /// The temperature: a signed 16-bit number of 1/4 °C, as the chips measure it.
    public struct Data: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
        public static let uuid = Gnosus.uuid(0x0004)
        public static let name = "Device Temperature Data"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let initialValue: Bytes? = [100, 0]

        /// The temperature as it is sent, in 1/4 °C.
        public let rawValue: Int16

        /// Creates a temperature from the number as it is sent; every number is allowed.
        public init(rawValue: Int16) { self.rawValue = rawValue }

        /// Creates a temperature from °C, rounded to the nearest quarter.
        ///
        /// - Throws: `SerDeError.invalidValue(offset:)` outside −8192 through 8191.75 °C.
        public init(temperature: Double) throws(SerDeError) {
            guard let raw = Int16(exactly: (temperature * 4).rounded()) else { throw .invalidValue(offset: 0) }
            rawValue = raw
        }

        /// The temperature in °C.
        public var temperature: Double { Double(rawValue) / 4 }

        public static var units: [String: String] { ["temperature": "°C"] }

        public var stringValue: [String: String] {
            ["temperature": DecimalText.fixed(temperature, 2), "temperatureRaw": "\(rawValue)"]
        }

        public init?(stringValue: [String: String]) {
            guard let raw = stringValue["temperatureRaw"].flatMap(Int16.init) else { return nil }
            self.init(rawValue: raw)
        }
    }
}
