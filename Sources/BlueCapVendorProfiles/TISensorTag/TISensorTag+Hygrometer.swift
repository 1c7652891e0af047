// SPDX-License-Identifier: MIT

import BlueCapProfiles
public import BlueCapSerDe

extension TISensorTag {
    /// The hygrometer (Sensirion SHT21): temperature with humidity, and a switch.
    public enum HygrometerService: ServiceConfigurable {
        public static let uuid = TISensorTag.uuid(0xaa20)
        public static let name = "TI Hygrometer"
        public static let tag = TISensorTag.tag
    }
}

extension TISensorTag.HygrometerService {
    /// One sample: two unsigned 16-bit numbers, the temperature and then the relative humidity (CC2541 SensorTag user
    /// guide, Humidity Sensor).
    public struct Data: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
        public static let uuid = TISensorTag.uuid(0xaa21)
        public static let name = "Hygrometer Data"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let size = 4
        public static let initialValue: Bytes? = [0x28, 0x0a, 0xac, 0x0d]

        /// The temperature as it is sent.
        public let temperatureRaw: UInt16
        /// The relative humidity as it is sent.
        public let humidityRaw: UInt16

        /// Creates a sample from the two numbers as they are sent.
        ///
        /// - Parameters:
        ///   - temperatureRaw: The temperature in counts.
        ///   - humidityRaw: The relative humidity in counts.
        public init(temperatureRaw: UInt16, humidityRaw: UInt16) {
            (self.temperatureRaw, self.humidityRaw) = (temperatureRaw, humidityRaw)
        }

        /// Creates a sample from a temperature and a humidity, rounded to the nearest counts.
        ///
        /// - Parameters:
        ///   - temperature: The temperature in °C, about −46.86 to 128.86.
        ///   - humidity: The relative humidity in percent, about −6 to 119.
        /// - Throws: `SerDeError.invalidValue(offset:)`, offset 0 for a temperature out of range, offset 2 for a
        ///   humidity out of range.
        public init(temperature: Double, humidity: Double) throws(SerDeError) {
            guard let temperatureRaw = UInt16(exactly: ((temperature + 46.86) * 65536 / 175.72).rounded()) else {
                throw .invalidValue(offset: 0)
            }
            guard let humidityRaw = UInt16(exactly: ((humidity + 6) * 65536 / 125).rounded()) else {
                throw .invalidValue(offset: 2)
            }
            self.init(temperatureRaw: temperatureRaw, humidityRaw: humidityRaw)
        }

        /// Creates a sample from the temperature and the humidity as they are sent; nil for any other count.
        public init?(rawValue: [UInt16]) {
            guard rawValue.count == 2 else { return nil }
            self.init(temperatureRaw: rawValue[0], humidityRaw: rawValue[1])
        }

        /// The temperature and the humidity as they are sent.
        public var rawValue: [UInt16] { [temperatureRaw, humidityRaw] }

        /// The temperature in °C: −46.86 + 175.72·raw/65536.
        public var temperature: Double { -46.86 + 175.72 * Double(temperatureRaw) / 65536 }

        /// The relative humidity in percent: −6 + 125·raw/65536. At both ends the formula leaves 0 through 100.
        public var humidity: Double { -6 + 125 * Double(humidityRaw) / 65536 }

        public static var units: [String: String] { ["temperature": "°C", "humidity": "%"] }

        public var stringValue: [String: String] {
            [
                "temperature": DecimalText.fixed(temperature, 2), "humidity": DecimalText.fixed(humidity, 2),
                "temperatureRaw": "\(temperatureRaw)", "humidityRaw": "\(humidityRaw)",
            ]
        }

        public init?(stringValue: [String: String]) {
            guard let temperature = stringValue["temperatureRaw"].flatMap(UInt16.init),
                let humidity = stringValue["humidityRaw"].flatMap(UInt16.init)
            else { return nil }
            self.init(temperatureRaw: temperature, humidityRaw: humidity)
        }

        /// Reads the two numbers without the array that `rawValue` makes.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            guard reader.remaining >= Self.size else {
                throw .truncated(needed: Self.size, available: reader.remaining, offset: reader.offset)
            }
            temperatureRaw = try reader.read()
            humidityRaw = try reader.read()
        }

        public var encodedByteCount: Int { Self.size }

        public func encode(into output: inout OutputRawSpan) {
            output.write(temperatureRaw)
            output.write(humidityRaw)
        }
    }

    /// The switch that starts and stops the sensor: one byte.
    public enum Enabled: UInt8, TISensorTag.Switch {
        /// Off, as after power-on.
        case no = 0
        /// The sensor is on.
        case yes = 1

        public static let uuid = TISensorTag.uuid(0xaa22)
        public static let name = "Hygrometer Enabled"
    }
}
