// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension HumanInterfaceDeviceService {
    /// The form of the reports: a report descriptor of at most 512 bytes (HID Service 1.0, 4.4; USB HID 1.11, 6.2.2).
    public struct ReportMap: HIDBytes {
        public static let uuid: BluetoothUUID = "2A4B"
        public static let name = "Report Map"
        public static let properties: CharacteristicProperties = .read
        public static let permissions: AttributePermissions = .readEncryptionRequired

        /// The report descriptor.
        public let rawValue: Bytes

        public init(rawValue: Bytes) { self.rawValue = rawValue }
    }

    /// One report as the ``ReportMap`` describes it, without its identifier, which a Report Reference descriptor has
    /// (HID Service 1.0, 4.5).
    public struct Report: HIDBytes {
        public static let uuid: BluetoothUUID = "2A4D"
        public static let name = "Report"
        /// Read, write and notify; a device leaves out what the kind of report does not need.
        public static let properties: CharacteristicProperties = [.read, .write, .writeWithoutResponse, .notify]
        public static let permissions: AttributePermissions = [.readEncryptionRequired, .writeEncryptionRequired]

        /// The bytes of the report as they are sent.
        public let rawValue: Bytes

        public init(rawValue: Bytes) { self.rawValue = rawValue }
    }

    /// The keys that are down on a plain keyboard: eight bytes (HID Service 1.0, 4.6; USB HID 1.11, appendix B.1).
    ///
    /// Bytes behind the eighth are passed over, as a host has to.
    public struct BootKeyboardInputReport: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A22"
        public static let name = "Boot Keyboard Input Report"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let permissions: AttributePermissions = .readEncryptionRequired
        public static let initialValue: Bytes? = [0, 0, 0, 0, 0, 0, 0, 0]
        /// Bytes behind the eighth are left unread.
        public static let surplusBytes = SurplusBytes.ignore

        /// The modifier keys that are down.
        public var modifiers: Modifiers
        /// The usage codes of six keys (HID Usage Tables, 10); 0 for none, 1 six times when too many are down.
        public private(set) var keys: Bytes

        /// Creates a report in which no key is down.
        public init() { self.init(modifiers: [], keys: []) }

        /// Creates a report of the keys that are down.
        ///
        /// - Parameters:
        ///   - modifiers: The modifier keys that are down.
        ///   - keys: The usage codes of the other keys that are down (HID Usage Tables, 10), of which the first six
        ///     count.
        public init(modifiers: Modifiers, keys: some Sequence<UInt8>) {
            self.modifiers = modifiers
            var codes = Bytes(keys.prefix(6))
            while codes.count < 6 { codes.append(0) }
            self.keys = codes
        }

        /// Reads eight bytes, of which the second is reserved.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            modifiers = Modifiers(rawValue: try reader.read())
            try reader.skip(1)
            keys = try reader.readBytes(6)
        }

        public var encodedByteCount: Int { 8 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(fields: modifiers.rawValue, UInt8(0), keys)
        }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("modifiers", \.modifiers),
            TextField(
                "keys", isNumber: false, text: { $0.keys.hex },
                parse: { value, text in
                    guard let keys = try? Bytes(hex: text), keys.count == 6 else { return false }
                    value.keys = keys
                    return true
                }),
        ]
        #endif

        /// Keys that modify others.
        public struct Modifiers: NamedFlags {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// The left control key.
            public static let leftControl = Self(rawValue: 1 << 0)
            /// The left shift key.
            public static let leftShift = Self(rawValue: 1 << 1)
            /// The left alt key.
            public static let leftAlt = Self(rawValue: 1 << 2)
            /// The left GUI (Windows, command) key.
            public static let leftGUI = Self(rawValue: 1 << 3)
            /// The right control key.
            public static let rightControl = Self(rawValue: 1 << 4)
            /// The right shift key.
            public static let rightShift = Self(rawValue: 1 << 5)
            /// The right alt key.
            public static let rightAlt = Self(rawValue: 1 << 6)
            /// The right GUI (Windows, command) key.
            public static let rightGUI = Self(rawValue: 1 << 7)

            public static let flagNames: [(Self, String)] = [
                (.leftControl, "Left Control"), (.leftShift, "Left Shift"), (.leftAlt, "Left Alt"),
                (.leftGUI, "Left GUI"), (.rightControl, "Right Control"), (.rightShift, "Right Shift"),
                (.rightAlt, "Right Alt"), (.rightGUI, "Right GUI"),
            ]
        }
    }

    /// The lights of a plain keyboard: one byte (HID Service 1.0, 4.7; USB HID 1.11, appendix B.1).
    public struct BootKeyboardOutputReport: NamedFlags, CharacteristicValue, CharacteristicConfigurable,
        StringDeserializable
    {
        public static let uuid: BluetoothUUID = "2A32"
        public static let name = "Boot Keyboard Output Report"
        public static let properties: CharacteristicProperties = [.read, .write, .writeWithoutResponse]
        public static let permissions: AttributePermissions = [.readEncryptionRequired, .writeEncryptionRequired]
        public static let initialValue: Bytes? = [0]

        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The light for Num Lock.
        public static let numLock = Self(rawValue: 1 << 0)
        /// The light for Caps Lock.
        public static let capsLock = Self(rawValue: 1 << 1)
        /// The light for Scroll Lock.
        public static let scrollLock = Self(rawValue: 1 << 2)
        /// The light for Compose.
        public static let compose = Self(rawValue: 1 << 3)
        /// The light for Kana.
        public static let kana = Self(rawValue: 1 << 4)

        public static let flagNames: [(Self, String)] = [
            (.numLock, "Num Lock"), (.capsLock, "Caps Lock"), (.scrollLock, "Scroll Lock"), (.compose, "Compose"),
            (.kana, "Kana"),
        ]
    }

    /// The movement of a plain mouse: three bytes, and further bytes of the device (HID Service 1.0, 4.8; USB HID 1.11,
    /// appendix B.2).
    public struct BootMouseInputReport: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A33"
        public static let name = "Boot Mouse Input Report"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let permissions: AttributePermissions = .readEncryptionRequired
        public static let initialValue: Bytes? = [0, 0, 0]

        /// The buttons that are down.
        public var buttons: Buttons
        /// The steps to the right.
        public var x: Int8
        /// The steps towards the user.
        public var y: Int8
        /// The bytes that the device adds, such as a wheel's steps.
        public var more: Bytes

        /// Creates a report without movement.
        public init() { self.init(buttons: [], x: 0, y: 0) }

        /// Creates a report of a movement.
        ///
        /// - Parameters:
        ///   - buttons: The buttons that are down.
        ///   - x: The steps to the right.
        ///   - y: The steps towards the user.
        ///   - more: The bytes that the device adds, such as a wheel's steps.
        public init(buttons: Buttons, x: Int8, y: Int8, more: Bytes = []) {
            (self.buttons, self.x, self.y, self.more) = (buttons, x, y, more)
        }

        /// Reads three bytes, and takes all behind them.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            buttons = Buttons(rawValue: try reader.read())
            x = try reader.read()
            y = try reader.read()
            more = try reader.read()
        }

        public var encodedByteCount: Int { 3 + more.count }

        public func encode(into output: inout OutputRawSpan) { output.write(fields: buttons.rawValue, x, y, more) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("buttons", \.buttons), TextField("x", \.x), TextField("y", \.y),
            .hex("more", \.more, isOptional: true),
        ]
        #endif

        /// The buttons of a mouse.
        public struct Buttons: NamedFlags {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// The left one.
            public static let left = Self(rawValue: 1 << 0)
            /// The right one.
            public static let right = Self(rawValue: 1 << 1)
            /// The middle one.
            public static let middle = Self(rawValue: 1 << 2)

            public static let flagNames: [(Self, String)] = [(.left, "Left"), (.right, "Right"), (.middle, "Middle")]
        }
    }
}

/// A value of the ``HumanInterfaceDeviceService`` whose bytes the USB HID specification, not Bluetooth, gives a
/// meaning.
public protocol HIDBytes: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
    /// The bytes as they are sent.
    var rawValue: Bytes { get }

    /// Creates a value of any bytes.
    init(rawValue: Bytes)
}

extension HIDBytes {
    /// The bytes in hexadecimal, under the characteristic's name.
    public var stringValue: [String: String] { [Self.name: rawValue.hex] }

    #if !hasFeature(Embedded)
    /// The bytes in hexadecimal: a text.
    public var textParts: [TextPart] { [TextPart(Self.name, text: rawValue.hex)] }
    #endif

    /// Creates the bytes in hexadecimal that stand under the characteristic's name; nil when they are missing or none.
    public init?(stringValue: [String: String]) {
        guard let bytes = stringValue[Self.name].flatMap({ try? Bytes(hex: $0) }) else { return nil }
        self.init(rawValue: bytes)
    }
}
