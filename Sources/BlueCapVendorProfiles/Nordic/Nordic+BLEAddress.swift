// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension Nordic {
    /// The Bluetooth address of the chip.
    public enum BLEAddressService: ServiceConfigurable {
        public static let uuid = Gnosus.uuid(0x0005)
        public static let name = "Nordic BLE Address"
        public static let tag = Nordic.tag
    }
}

extension Nordic.BLEAddressService {
    /// The address: six octets in the order in which they are sent.
    public struct Address: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
        public static let uuid = Gnosus.uuid(0x0006)
        public static let name = "BLE Address"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let size = 6
        public static let initialValue: Bytes? = [0, 0, 0, 0, 0, 0]

        private let octets: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)

        /// The first octet.
        public var addr1: UInt8 { octets.0 }
        /// The second octet.
        public var addr2: UInt8 { octets.1 }
        /// The third octet.
        public var addr3: UInt8 { octets.2 }
        /// The fourth octet.
        public var addr4: UInt8 { octets.3 }
        /// The fifth octet.
        public var addr5: UInt8 { octets.4 }
        /// The sixth octet.
        public var addr6: UInt8 { octets.5 }

        /// Creates an address from its octets; nil for any other count than six.
        public init?(rawValue: [UInt8]) {
            guard rawValue.count == 6 else { return nil }
            octets = (rawValue[0], rawValue[1], rawValue[2], rawValue[3], rawValue[4], rawValue[5])
        }

        /// The six octets.
        public var rawValue: [UInt8] { [addr1, addr2, addr3, addr4, addr5, addr6] }

        public var stringValue: [String: String] {
            [
                "addr1": "\(addr1)", "addr2": "\(addr2)", "addr3": "\(addr3)",
                "addr4": "\(addr4)", "addr5": "\(addr5)", "addr6": "\(addr6)",
            ]
        }

        public init?(stringValue: [String: String]) {
            self.init(rawValue: (1...6).compactMap { stringValue["addr\($0)"].flatMap(UInt8.init) })
        }

        /// Reads the six octets without the array that `rawValue` makes.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            guard reader.remaining >= Self.size else {
                throw .truncated(needed: Self.size, available: reader.remaining, offset: reader.offset)
            }
            octets = (
                try reader.read(), try reader.read(), try reader.read(), try reader.read(), try reader.read(),
                try reader.read()
            )
        }

        public var encodedByteCount: Int { Self.size }

        public func encode(into output: inout OutputRawSpan) {
            output.write(addr1)
            output.write(addr2)
            output.write(addr3)
            output.write(addr4)
            output.write(addr5)
            output.write(addr6)
        }

        /// Returns whether all octets are the same.
        public static func == (left: Address, right: Address) -> Bool { left.octets == right.octets }

        /// Hashes the octets.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(rawValue)
        }
    }

    /// The type of the address: one byte.
    public enum AddressType: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
        /// The value is not known.
        case unknown = 0
        /// A registered address that never changes.
        case `public` = 1
        /// A random address that stays the same until the next start at least.
        case randomStatic = 2
        /// A random address that changes, and that a device with the key can resolve.
        case randomPrivateResolvable = 3
        /// A random address that changes, and that no device can resolve.
        case randomPrivateUnresolvable = 4

        public static let uuid = Gnosus.uuid(0x0007)
        public static let name = "BLE Address Type"
        public static let properties: CharacteristicProperties = [.read]
        public static let initialValue: Bytes? = [1]

        public var choice: String {
            switch self {
            case .unknown: "Unknown"
            case .public: "Public"
            case .randomStatic: "RandomStatic"
            case .randomPrivateResolvable: "RandomPrivateResolvable"
            case .randomPrivateUnresolvable: "RandomPrivateUnresolvable"
            }
        }
    }
}
