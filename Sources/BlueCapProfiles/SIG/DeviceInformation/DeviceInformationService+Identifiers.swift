// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension DeviceInformationService {
    /// A unique number of the device: eight bytes, little-endian (Device Information Service 1.2, 3.7; GATT
    /// Specification Supplement, System ID).
    public struct SystemID: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A23"
        public static let name = "System ID"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]

        /// The number that the manufacturer gave the device; the first five bytes.
        public var manufacturerIdentifier: UInt40
        /// The number that IEEE gave the manufacturer (its OUI); the last three bytes.
        public var organizationallyUniqueIdentifier: UInt24

        /// Creates a number from its two parts.
        ///
        /// - Parameters:
        ///   - manufacturerIdentifier: The number that the manufacturer gave the device, 40 bits.
        ///   - organizationallyUniqueIdentifier: The number that IEEE gave the manufacturer, 24 bits.
        public init(manufacturerIdentifier: UInt40, organizationallyUniqueIdentifier: UInt24) {
            self.manufacturerIdentifier = manufacturerIdentifier
            self.organizationallyUniqueIdentifier = organizationallyUniqueIdentifier
        }

        /// Creates a value of zeros.
        public init() { self.init(manufacturerIdentifier: 0, organizationallyUniqueIdentifier: 0) }

        /// Creates the number of a device with a 48-bit address, as the specification derives it: the address's upper
        /// half is the OUI, and FFFE stands between it and the lower half.
        ///
        /// - Parameter publicAddress: The address as a number, `0x00A050_123456` for 00:A0:50:12:34:56.
        public init(publicAddress: UInt48) {
            self.init(
                manufacturerIdentifier: UInt40(truncatingIfNeeded: 0xff_fe00_0000 | publicAddress.value & 0xff_ffff),
                organizationallyUniqueIdentifier: UInt24(truncatingIfNeeded: publicAddress.value >> 24))
        }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("manufacturerIdentifier", \.manufacturerIdentifier),
            TextField("organizationallyUniqueIdentifier", \.organizationallyUniqueIdentifier),
        ]
        #endif

        public init(from reader: inout ByteReader) throws(SerDeError) {
            manufacturerIdentifier = try reader.read()
            organizationallyUniqueIdentifier = try reader.read()
        }

        public var encodedByteCount: Int { 8 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(fields: manufacturerIdentifier, organizationallyUniqueIdentifier)
        }
    }

    /// The identifiers of the product, by which a host finds its driver: seven bytes, little-endian (Device Information
    /// Service 1.2, 3.9; GATT Specification Supplement, PnP ID).
    public struct PnPID: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A50"
        public static let name = "PnP ID"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]

        /// The body that assigned the vendor's number.
        public var vendorIDSource = VendorIDSource.bluetoothSIG
        /// The vendor's number.
        public var vendorID: UInt16 = 0
        /// The vendor's own number for the product.
        public var productID: UInt16 = 0
        /// The version: 0xJJMN for JJ.M.N.
        public var productVersion: UInt16 = 0

        /// A body that assigns numbers to vendors.
        public struct VendorIDSource: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// The Bluetooth SIG: the vendor's number is a company identifier.
            public static let bluetoothSIG = Self(rawValue: 1)
            /// The USB Implementers Forum.
            public static let usbImplementersForum = Self(rawValue: 2)

            public static let assigned: [(Self, String)] = [
                (.bluetoothSIG, "Bluetooth SIG"), (.usbImplementersForum, "USB Implementer's Forum"),
            ]
        }

        /// Product 0 of the SIG's company 0.
        public init() {}

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField(choice: "vendorIDSource", \.vendorIDSource), TextField("vendorID", \.vendorID),
            TextField("productID", \.productID), TextField("productVersion", \.productVersion),
        ]
        #endif

        public init(from reader: inout ByteReader) throws(SerDeError) {
            vendorIDSource = VendorIDSource(rawValue: try reader.read())
            vendorID = try reader.read()
            productID = try reader.read()
            productVersion = try reader.read()
        }

        public var encodedByteCount: Int { 7 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(fields: vendorIDSource.rawValue, vendorID, productID, productVersion)
        }
    }

    /// The list of regulatory certifications that IEEE 11073-20601 defines, as it is sent (Device Information Service
    /// 1.2, 3.8). It is in that standard's own big-endian encoding, which is not read here.
    public struct RegulatoryCertificationDataList: RawDeserializable, CharacteristicConfigurable, StringDeserializable,
        Hashable
    {
        public static let uuid: BluetoothUUID = "2A2A"
        public static let name = "IEEE 11073-20601 Regulatory Certification Data List"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]

        /// The list as it is sent.
        public let rawValue: Bytes

        public init(rawValue: Bytes) { self.rawValue = rawValue }

        /// The bytes in hexadecimal, under the characteristic's name.
        public var stringValue: [String: String] { [Self.name: rawValue.hex] }

        #if !hasFeature(Embedded)
        /// The bytes in hexadecimal: a text.
        public var textParts: [TextPart] { [TextPart(Self.name, text: rawValue.hex)] }
        #endif

        /// Creates a list from bytes in hexadecimal under the characteristic's name; nil when they are missing or no
        /// bytes.
        public init?(stringValue: [String: String]) {
            guard let text = stringValue[Self.name], let bytes = try? Bytes(hex: text) else { return nil }
            rawValue = bytes
        }
    }
}
