// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension UserDataService {
    /// The first name: text in UTF-8 (User Data Service 1.0, 3.1; GATT Specification Supplement, First Name).
    public struct FirstName: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A8A"
        public static let name = "First Name"
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The last name: text in UTF-8 (User Data Service 1.0, 3.1; GATT Specification Supplement, Last Name).
    public struct LastName: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A90"
        public static let name = "Last Name"
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The e-mail address: text in UTF-8 (User Data Service 1.0, 3.1; GATT Specification Supplement, Email Address).
    public struct EmailAddress: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A87"
        public static let name = "Email Address"
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The language by its two letters (ISO 639-1): text in UTF-8 (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Language).
    public struct Language: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2AA2"
        public static let name = "Language"
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The gender: one byte (User Data Service 1.0, 3.1; GATT Specification Supplement, Gender). Numbers without a name
    /// yet are kept.
    public struct Gender: AssignedNumber, RawDeserializable, CharacteristicConfigurable, StringDeserializable {
        public static let uuid: BluetoothUUID = "2A8C"
        public static let name = "Gender"
        public static let properties: CharacteristicProperties = [.read, .write]
        public static let initialValue: Bytes? = [2]

        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The user is male.
        public static let male = Self(rawValue: 0)
        /// The user is female.
        public static let female = Self(rawValue: 1)
        /// The gender is not specified.
        public static let unspecified = Self(rawValue: 2)

        public static let assigned: [(Self, String)] = [
            (.male, "Male"),
            (.female, "Female"),
            (.unspecified, "Unspecified"),
        ]
    }

    /// The day of birth: four bytes, little-endian (User Data Service 1.0, 3.1; GATT Specification Supplement, Date of
    /// Birth).
    public struct DateOfBirth: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A85"
        public static let name = "Date of Birth"
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The day of birth.
        public var rawValue: CalendarDate

        public init(rawValue: CalendarDate) { self.rawValue = rawValue }
    }

    /// The day when the thresholds were measured: four bytes, little-endian (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Date of Threshold Assessment).
    public struct DateOfThresholdAssessment: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A86"
        public static let name = "Date of Threshold Assessment"
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The day of the assessment.
        public var rawValue: CalendarDate

        public init(rawValue: CalendarDate) { self.rawValue = rawValue }
    }
}
