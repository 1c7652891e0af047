// SPDX-License-Identifier: MIT

public import BlueCapProfiles
public import BlueCapSerDe

extension Gnosus {
    /// A service that sends a greeting again and again.
    public enum HelloWorldService: ServiceConfigurable {
        /// The UUID of the service: 2F0A0000-69AA-F316-3E78-4194989A6C1A.
        public static let uuid = Gnosus.uuid(0x0000)
        /// The name of the service.
        public static let name = "Hello World"
        /// The tag of the service.
        public static let tag = Gnosus.tag
    }
}

extension Gnosus.HelloWorldService {
    /// The greeting: text in UTF-8, as long as the characteristic's value is.
    public struct Greeting: PlainValue, Hashable {
        /// The UUID of the attribute: 2F0A0001-69AA-F316-3E78-4194989A6C1A.
        public static let uuid = Gnosus.uuid(0x0001)
        /// The name of the characteristic.
        public static let name = "Hello World Greeting"
        /// A central may read the value and be notified of it.
        public static let properties: CharacteristicProperties = [.read, .notify]
        /// The value that a peripheral offers first: "Hello".
        public static let initialValue: Bytes? = [0x48, 0x65, 0x6c, 0x6c, 0x6f]

        /// The text of the greeting.
        public let rawValue: String

        /// Creates a greeting of any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The time from greeting to greeting: an unsigned 16-bit number of milliseconds.
    public struct UpdatePeriod: PlainValue, Hashable {
        /// The UUID of the attribute: 2F0A0002-69AA-F316-3E78-4194989A6C1A.
        public static let uuid = Gnosus.uuid(0x0002)
        /// The name of the characteristic.
        public static let name = "Update Period"
        /// The unit of the number, under the characteristic's name: ms.
        public static var units: [String: String] { [name: "ms"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]
        /// The value that a peripheral offers first: 5000 ms.
        public static let initialValue: Bytes? = [0x88, 0x13]

        /// The value in milliseconds.
        public let rawValue: UInt16

        /// Creates a period from milliseconds; every number is allowed.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Creates a period from milliseconds, 0 through 65535.
        ///
        /// - Throws: `SerDeError.invalidValue(offset:)` when it is out of range.
        public init(milliseconds: Int) throws(SerDeError) {
            guard let raw = UInt16(exactly: milliseconds) else { throw .invalidValue() }
            self.init(rawValue: raw)
        }

        /// The period in milliseconds.
        public var milliseconds: Int { Int(rawValue) }
    }
}
