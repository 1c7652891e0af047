// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Pulse Oximeter Service of the Bluetooth SIG: oxygen in the blood, and the pulse (Pulse Oximeter Service 1.0).
public enum PulseOximeterService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1822"
    public static let name = "Pulse Oximeter"
    public static let tag = BluetoothSIG.tag

    /// The control point through which stored spot checks are read (Pulse Oximeter Service 1.0, 3.4).
    public typealias RecordAccessControlPoint = BlueCapProfiles.RecordAccessControlPoint
}

extension PulseOximeterService {
    /// The oxygen in the blood and the pulse: two SFLOATs.
    public struct Saturation: ByteCodable, Hashable {
        /// The oxygen saturation (SpO2) in percent; NaN where there is none.
        public var oxygen: SFloat
        /// The pulse in beats per minute; NaN where there is none.
        public var pulseRate: SFloat

        /// Creates a saturation.
        ///
        /// - Parameters:
        ///   - oxygen: The oxygen saturation (SpO2) in percent; NaN where there is none.
        ///   - pulseRate: The pulse in beats per minute; NaN where there is none.
        public init(oxygen: SFloat = .nan, pulseRate: SFloat = .nan) {
            (self.oxygen, self.pulseRate) = (oxygen, pulseRate)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            oxygen = try reader.read()
            pulseRate = try reader.read()
        }

        public var encodedByteCount: Int { 4 }

        public func encode(into output: inout OutputRawSpan) {
            oxygen.encode(into: &output)
            pulseRate.encode(into: &output)
        }
    }
}
