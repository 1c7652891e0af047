// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Human Interface Device Service of the Bluetooth SIG: keyboards, mice and the like, with reports as USB defines
/// them.
///
/// Its characteristics are read and written on an encrypted link only (HID Service 1.0, 2.6). Operating systems mostly
/// keep the service to themselves and hide it from applications.
public enum HumanInterfaceDeviceService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1812"
    public static let name = "Human Interface Device"
    public static let tag = BluetoothSIG.tag

    /// Information on the device: four bytes (HID Service 1.0, 4.1; GATT Specification Supplement, HID Information).
    public struct HIDInformation: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A4A"
        public static let name = "HID Information"
        public static let properties: CharacteristicProperties = .read
        public static let permissions: AttributePermissions = .readEncryptionRequired
        public static let initialValue: Bytes? = [0x11, 0x01, 0x00, 0x02]

        /// The version of the USB HID specification in binary-coded decimal: 0111 is 1.11.
        public var version: UInt16
        /// The country that the device is made for, as the USB HID specification numbers them; 0 for none.
        public var countryCode: UInt8
        /// The capabilities of the device.
        public var flags: Flags

        /// Version 1.11, no country, connectable.
        public init() { self.init(version: 0x0111, countryCode: 0, flags: .normallyConnectable) }

        /// Creates information on a device.
        ///
        /// - Parameters:
        ///   - version: The version of the USB HID specification in binary-coded decimal: 0x0111 is 1.11.
        ///   - countryCode: The country that the device is made for, as the USB HID specification numbers them; 0 for
        ///     none.
        ///   - flags: The capabilities of the device.
        public init(version: UInt16, countryCode: UInt8, flags: Flags) {
            (self.version, self.countryCode, self.flags) = (version, countryCode, flags)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            version = try reader.read()
            countryCode = try reader.read()
            flags = Flags(rawValue: try reader.read())
        }

        public var encodedByteCount: Int { 4 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(fields: version, countryCode, flags.rawValue)
        }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField(
                "version", isNumber: false,
                text: { SerDe.serialize($0.version.byteSwapped).hex },
                parse: { value, text in
                    guard text.utf8.count == 4, let version = UInt16(text, radix: 16) else { return false }
                    value.version = version
                    return true
                }), TextField("countryCode", \.countryCode), TextField("flags", \.flags),
        ]
        #endif

        /// The capabilities of a device.
        public struct Flags: NamedFlags {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// The device can wake its host.
            public static let remoteWake = Self(rawValue: 1 << 0)
            /// The device advertises when it is bonded and not connected.
            public static let normallyConnectable = Self(rawValue: 1 << 1)

            public static let flagNames: [(Self, String)] = [
                (.remoteWake, "Remote Wake"), (.normallyConnectable, "Normally Connectable"),
            ]
        }
    }

    /// The kind of reports that the device sends: one byte (HID Service 1.0, 4.2; GATT Specification Supplement,
    /// Protocol Mode). Other values are reserved and refused.
    public enum ProtocolMode: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
        /// The reports of a plain keyboard or mouse, which need no ``ReportMap``.
        case boot = 0
        /// The reports that the ``ReportMap`` describes.
        case report = 1

        public static let uuid: BluetoothUUID = "2A4E"
        public static let name = "Protocol Mode"
        public static let properties: CharacteristicProperties = [.read, .writeWithoutResponse]
        public static let permissions: AttributePermissions = [.readEncryptionRequired, .writeEncryptionRequired]
        public static let initialValue: Bytes? = [1]

        public var choice: String { self == .boot ? "Boot Protocol Mode" : "Report Protocol Mode" }
    }

    /// The command of the host to the device: one byte (HID Service 1.0, 4.3; GATT Specification Supplement, HID
    /// Control Point). Other values are reserved and refused.
    public enum HIDControlPoint: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
        /// The host sleeps.
        case suspend = 0
        /// The host is awake.
        case exitSuspend = 1

        public static let uuid: BluetoothUUID = "2A4C"
        public static let name = "HID Control Point"
        public static let properties: CharacteristicProperties = .writeWithoutResponse
        public static let permissions: AttributePermissions = .writeEncryptionRequired

        public var choice: String { self == .suspend ? "Suspend" : "Exit Suspend" }
    }
}
