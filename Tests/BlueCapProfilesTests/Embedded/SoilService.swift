// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe

/// A service as a maker of sensors declares it: once, for the firmware, the gateway and the phone.
///
/// `Tests/Embedded` compiles this file for the firmware, in Embedded mode.
enum SoilService: ServiceConfigurable {
    static let uuid: BluetoothUUID = "6E3A0001-0D2E-4A51-9C0A-2B1F5D7C9E10"
    static let name = "Soil"

    /// The moisture and the temperature of the soil.
    struct Sample: CharacteristicValue, CharacteristicConfigurable, Hashable {
        static let uuid: BluetoothUUID = "6E3A0002-0D2E-4A51-9C0A-2B1F5D7C9E10"
        static let name = "Soil Sample"
        static let properties: CharacteristicProperties = [.read, .notify]
        static let permissions: AttributePermissions = .readable

        /// Percent of the volume.
        var moisture: UInt8
        /// °C, as a medical float of 16 bits.
        var temperature: SFloat
        /// Since the start, in seconds.
        var elapsed: UInt32

        init(moisture: UInt8, temperature: SFloat, elapsed: UInt32) {
            self.moisture = moisture
            self.temperature = temperature
            self.elapsed = elapsed
        }

        init(from reader: inout ByteReader) throws(SerDeError) {
            let start = reader.offset
            moisture = try reader.read()
            guard moisture <= 100 else { throw .invalidValue(offset: start) }
            temperature = try reader.read()
            elapsed = try reader.read()
        }

        var encodedByteCount: Int { 7 }

        func encode(into output: inout OutputRawSpan) {
            output.write(moisture)
            temperature.encode(into: &output)
            output.write(elapsed)
        }
    }

    /// Whether samples are taken.
    enum Sampling: UInt8, RawDeserializable, CharacteristicConfigurable {
        static let uuid: BluetoothUUID = "6E3A0003-0D2E-4A51-9C0A-2B1F5D7C9E10"
        static let name = "Soil Sampling"
        static let properties: CharacteristicProperties = [.read, .write]

        case off = 0
        case on = 1
    }

    /// Values and the bytes that all three ends have for them.
    static let samples: [(Sample, Bytes)] = [
        (Sample(moisture: 0, temperature: SFloat(mantissa: 0, exponent: 0)!, elapsed: 0), [0, 0, 0, 0, 0, 0, 0]),
        (
            Sample(moisture: 38, temperature: SFloat(mantissa: 215, exponent: -1)!, elapsed: 0x0102_0304),
            [38, 0xD7, 0xF0, 4, 3, 2, 1]
        ),
        (Sample(moisture: 100, temperature: .nan, elapsed: .max), [100, 0xFF, 0x07, 0xFF, 0xFF, 0xFF, 0xFF]),
    ]
}
