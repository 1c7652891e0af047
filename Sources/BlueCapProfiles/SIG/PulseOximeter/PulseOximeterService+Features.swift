// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension PulseOximeterService {
    /// The capabilities of the device: 16 flags, little-endian, and which status flags it knows, where it knows some
    /// (Pulse Oximeter Service 1.0, 3.3; GATT Specification Supplement, PLX Features).
    ///
    /// Bytes behind the known fields are passed over and not kept.
    public struct Features: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A60"
        public static let name = "PLX Features"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]
        public static let surplusBytes = SurplusBytes.ignore

        /// The capabilities of the oximeter beside the report of a status.
        public var options: Options = []
        /// The flags that a measurement's status can have; nil when it has none.
        public var measurementStatus: MeasurementStatus?
        /// The flags that the status of device and sensor can have; nil when it has none.
        public var deviceAndSensorStatus: DeviceAndSensorStatus?

        /// The capabilities of a pulse oximeter. The first two bits say which fields follow, and are not kept here.
        public struct Options: NamedFlags {
            public let rawValue: UInt16

            /// Creates a set from its bits without the lowest two.
            public init(rawValue: UInt16) { self.rawValue = rawValue & ~3 }

            /// The oximeter stores spot checks.
            public static let spotCheckStorage = Self(rawValue: 1 << 2)
            /// The oximeter reports the times of spot checks.
            public static let spotCheckTimeStamp = Self(rawValue: 1 << 3)
            /// The oximeter reports fast averages.
            public static let fast = Self(rawValue: 1 << 4)
            /// The oximeter reports slow averages.
            public static let slow = Self(rawValue: 1 << 5)
            /// The oximeter reports the strength of the pulse.
            public static let pulseAmplitudeIndex = Self(rawValue: 1 << 6)
            /// The device bonds with more than one central.
            public static let multipleBonds = Self(rawValue: 1 << 7)

            public static let flagNames: [(Self, String)] = [
                (.spotCheckStorage, "Measurement Storage for Spot-check Measurements"),
                (.spotCheckTimeStamp, "Timestamp for Spot-check Measurements"),
                (.fast, "SpO2PR-Fast Metric"),
                (.slow, "SpO2PR-Slow Metric"),
                (.pulseAmplitudeIndex, "Pulse Amplitude Index"),
                (.multipleBonds, "Multiple Bonds"),
            ]
        }

        /// Nothing beyond what every pulse oximeter can do.
        public init() {}

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("options", \.options),
            TextField("measurementStatus", \.measurementStatus),
            TextField("deviceAndSensorStatus", \.deviceAndSensorStatus),
        ]
        #endif

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = try reader.read(UInt16.self)
            options = Options(rawValue: flags)
            if flags & 1 != 0 { measurementStatus = try reader.read() }
            if flags & 2 != 0 { deviceAndSensorStatus = try reader.read() }
        }

        public var encodedByteCount: Int {
            2 + (measurementStatus == nil ? 0 : 2) + (deviceAndSensorStatus == nil ? 0 : 3)
        }

        public func encode(into output: inout OutputRawSpan) {
            output.write(
                options.rawValue | (measurementStatus == nil ? 0 : 1) | (deviceAndSensorStatus == nil ? 0 : 2))
            measurementStatus?.encode(into: &output)
            deviceAndSensorStatus?.encode(into: &output)
        }
    }
}
