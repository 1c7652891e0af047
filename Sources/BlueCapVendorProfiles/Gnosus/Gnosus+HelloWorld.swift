// SPDX-License-Identifier: MIT

public import BlueCapProfiles
public import BlueCapSerDe

extension Gnosus {
    /// A service that sends a greeting again and again.
    public enum HelloWorldService: ServiceConfigurable {
        public static let uuid = Gnosus.uuid(0x0000)
        public static let name = "Hello World"
        public static let tag = Gnosus.tag
    }
}

extension Gnosus.HelloWorldService {
    /// The greeting: text in UTF-8, as long as the characteristic's value is.
    public struct Greeting: PlainValue, Hashable {
        public static let uuid = Gnosus.uuid(0x0001)
        public static let name = "Hello World Greeting"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let initialValue: Bytes? = [0x48, 0x65, 0x6c, 0x6c, 0x6f]

        /// The text of the greeting.
        public let rawValue: String

        /// Creates a greeting of any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The time from greeting to greeting: an unsigned 16-bit number of milliseconds.
    public struct UpdatePeriod: PlainValue, Hashable {
        public static let uuid = Gnosus.uuid(0x0002)
        public static let name = "Update Period"
        public static var units: [String: String] { [name: "ms"] }
        public static let properties: CharacteristicProperties = [.read, .write]
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
