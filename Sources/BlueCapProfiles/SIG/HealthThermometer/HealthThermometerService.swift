// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Health Thermometer Service of the Bluetooth SIG: the temperature of a body (Health Thermometer Service 1.0).
public enum HealthThermometerService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1809"
    public static let name = "Health Thermometer"
    public static let tag = BluetoothSIG.tag
}

extension HealthThermometerService {
    /// The place on the body where the temperature is taken: one byte (Health Thermometer Service 1.0, 3.2; GATT
    /// Specification Supplement, Temperature Type). Numbers without a name yet are kept.
    public struct TemperatureType: AssignedNumber, RawDeserializable, CharacteristicConfigurable, StringDeserializable {
        public static let uuid: BluetoothUUID = "2A1D"
        public static let name = "Temperature Type"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]
        public static let initialValue: Bytes? = [2]

        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Under the arm.
        public static let armpit = Self(rawValue: 1)
        /// The body in general.
        public static let body = Self(rawValue: 2)
        /// At the ear, usually its lobe.
        public static let ear = Self(rawValue: 3)
        /// At a finger.
        public static let finger = Self(rawValue: 4)
        /// In the gastrointestinal tract.
        public static let gastrointestinalTract = Self(rawValue: 5)
        /// In the mouth.
        public static let mouth = Self(rawValue: 6)
        /// In the rectum.
        public static let rectum = Self(rawValue: 7)
        /// At a toe.
        public static let toe = Self(rawValue: 8)
        /// At the ear drum.
        public static let tympanum = Self(rawValue: 9)

        public static let assigned: [(Self, String)] = [
            (.armpit, "Armpit"),
            (.body, "Body (general)"),
            (.ear, "Ear (usually ear lobe)"),
            (.finger, "Finger"),
            (.gastrointestinalTract, "Gastrointestinal Tract"),
            (.mouth, "Mouth"),
            (.rectum, "Rectum"),
            (.toe, "Toe"),
            (.tympanum, "Tympanum (ear drum)"),
        ]
    }

    /// The time from measurement to measurement in seconds, 1 through 65535, or 0 for none by the clock: two bytes,
    /// little-endian (Health Thermometer Service 1.0, 3.4; GATT Specification Supplement, Measurement Interval).
    public struct MeasurementInterval: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A21"
        public static let name = "Measurement Interval"
        public static var units: [String: String] { [name: "s"] }
        public static let properties: CharacteristicProperties = [.read, .write, .indicate]
        public static let initialValue: Bytes? = [60, 0]

        /// Seconds; 0 for no measurements by the clock.
        public var rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }
}
