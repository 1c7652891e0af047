// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TISensorTag {
    /// The self-test of the SensorTag: its results, and a switch.
    public enum SensorTagTestService: ServiceConfigurable {
        public static let uuid = TISensorTag.uuid(0xaa60)
        public static let name = "TI Sensor Tag Test"
        public static let tag = TISensorTag.tag
    }
}

extension TISensorTag.SensorTagTestService {
    /// The results: one byte with a bit for each of eight tests, the first one lowest; a set bit is a test that passed
    /// (CC2541 SensorTag user guide, Test Service).
    public struct Data: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
        public static let uuid = TISensorTag.uuid(0xaa61)
        public static let name = "Test Data"
        public static let properties: CharacteristicProperties = [.read]
        public static let initialValue: Bytes? = [0xf0]

        /// The results as they are sent.
        public let rawValue: UInt8

        /// Results from the byte as it is sent; every byte is allowed.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Returns whether a test passed, 1 through 8; false for any other number.
        public func hasPassed(_ test: Int) -> Bool { (1...8).contains(test) && rawValue >> (test - 1) & 1 == 1 }

        public var stringValue: [String: String] {
            var texts = ["resultRaw": "\(rawValue)"]
            for test in 1...8 { texts["test\(test)"] = hasPassed(test) ? "PASSED" : "FAILED" }
            return texts
        }

        public init?(stringValue: [String: String]) {
            guard let raw = stringValue["resultRaw"].flatMap(UInt8.init) else { return nil }
            self.init(rawValue: raw)
        }
    }

    /// Whether the SensorTag tests itself: one byte.
    public enum Enabled: UInt8, TISensorTag.Switch {
        /// Off, as after power-on.
        case no = 0
        /// The sensor is on.
        case yes = 1

        public static let uuid = TISensorTag.uuid(0xaa62)
        public static let name = "Test Enabled"
    }
}
