// SPDX-License-Identifier: MIT

public import BlueCapSerDe

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

    /// Creates the bytes in hexadecimal that stand under the characteristic's name; nil when they are missing or none.
    public init?(stringValue: [String: String]) {
        guard let bytes = stringValue[Self.name].flatMap({ try? Bytes(hex: $0) }) else { return nil }
        self.init(rawValue: bytes)
    }
}
