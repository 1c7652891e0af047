// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// A change of descriptors, with their characteristic: two bytes of flags and a UUID of 2 or 16 bytes
    /// (Environmental Sensing Service 1.0, 3.2).
    public struct DescriptorValueChanged: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A7D"
        public static let name = "Descriptor Value Changed"
        public static let properties: CharacteristicProperties = .indicate
        public static let permissions: AttributePermissions = []

        /// The descriptors that changed, and the source of the change.
        public var flags: Flags
        /// The characteristic whose descriptors changed.
        public var characteristic: BluetoothUUID

        /// Creates a value without changes.
        public init() { self.init(flags: [], characteristic: BluetoothUUID(UInt16(0))) }

        /// Creates a change.
        ///
        /// - Parameters:
        ///   - flags: The descriptors that changed, and the source of the change.
        ///   - characteristic: The UUID of the characteristic whose descriptors changed.
        public init(flags: Flags, characteristic: BluetoothUUID) {
            (self.flags, self.characteristic) = (flags, characteristic)
        }

        /// Reads the flags, and a UUID of 16 bytes when so many are left, or else of 2.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            flags = try reader.read()
            characteristic = reader.remaining < 16 ? try reader.readUUID16() : try reader.readUUID128()
        }

        public var encodedByteCount: Int { characteristic.uint16 == nil ? 18 : 4 }

        /// Appends the flags, and the UUID in 2 bytes when it fits, or else in 16.
        public func encode(into output: inout OutputRawSpan) {
            flags.encode(into: &output)
            if let short = characteristic.uint16 {
                output.write(short)
            } else {
                output.write(full: characteristic)
            }
        }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("flags", \.flags),
            TextField(
                "characteristic", isNumber: false, text: { $0.characteristic.description },
                parse: { value, text in
                    guard let uuid = try? BluetoothUUID(text: text) else { return false }
                    value.characteristic = uuid
                    return true
                }),
        ]
        #endif

        /// The descriptors that changed, and the source of the change.
        public struct Flags: NamedFlags {
            public let rawValue: UInt16

            public init(rawValue: UInt16) { self.rawValue = rawValue }

            /// A central made the change; otherwise the device did.
            public static let changedByClient = Self(rawValue: 1 << 0)
            /// One or more trigger settings.
            public static let triggerSetting = Self(rawValue: 1 << 1)
            /// The combination of the trigger settings.
            public static let configuration = Self(rawValue: 1 << 2)
            /// The description of the measurement.
            public static let measurement = Self(rawValue: 1 << 3)
            /// The user's description.
            public static let userDescription = Self(rawValue: 1 << 4)

            public static let flagNames: [(Self, String)] = [
                (.changedByClient, "Changed by Client"), (.triggerSetting, "ES Trigger Setting"),
                (.configuration, "ES Configuration"), (.measurement, "ES Measurement"),
                (.userDescription, "Characteristic User Description"),
            ]
        }
    }
}
