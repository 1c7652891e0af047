// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The name, the permitted operations and the text form of a characteristic.
///
/// A profile that is created from a UUID and a name has hexadecimal text, one field under its ``name``. The profiles
/// with a type of value, such as ``RawCharacteristicProfile``, are converted to this type when profiles of different
/// kinds are kept together. They keep the text form of their type.
public struct CharacteristicProfile: CharacteristicProfileProtocol {
    /// The name of a characteristic or service without a profile: "Unknown".
    public static var unknownName: String { "Unknown" }

    /// The UUID by which a discovered characteristic gets this profile.
    public let uuid: BluetoothUUID
    /// The name for people, which is not sent.
    public let name: String
    /// The operations that are allowed, and the encryption or authentication that they need.
    public let permissions: AttributePermissions
    /// The operations that the characteristic supports.
    public let properties: CharacteristicProperties
    /// The first value that a peripheral offers.
    public let initialValue: Bytes?
    /// The possible texts of the value if there are few; empty otherwise.
    public let stringValues: [String]
    /// The type that declares the characteristic; nil for a profile created from its parts.
    package let configuration: (any CharacteristicConfigurable.Type)?
    /// The parts of the text in their order if a file declares them; empty otherwise.
    package let textParts: [CharacteristicTextPart]
    private let coding: TextCoding

    /// The units of the parts of the text, such as "kJ", by the names of the parts.
    ///
    /// A part without a unit, or with a unit that is part of the value, is left out.
    public var units: [String: String] {
        if let configuration { return (configuration as? any StringDeserializable.Type)?.units ?? [:] }
        return textParts.reduce(into: [:]) { units, part in units[part.name] = part.unit }
    }

    /// A Boolean value that is true if a type or a file declares the form of the value.
    package var declaresValues: Bool { configuration != nil || !textParts.isEmpty }

    /// Creates the profile of a characteristic of which only the UUID is known.
    ///
    /// The profile has the name "Unknown", is readable and writeable, has the properties read, write and notify, and
    /// has no initial value.
    public init(uuid: BluetoothUUID) { self.init(uuid: uuid, name: Self.unknownName) }

    /// Creates a profile whose text is hexadecimal, one field under the name.
    ///
    /// - Parameters:
    ///   - uuid: The UUID by which a discovered characteristic gets this profile.
    ///   - name: The name for people, which is not sent. It is also the name of the only field of the text.
    ///   - permissions: The operations that a peripheral allows, and the encryption or authentication that they need.
    ///   - properties: The operations that centrals see as supported.
    ///   - initialValue: The first value that a peripheral offers; nil for an empty value.
    public init(
        uuid: BluetoothUUID, name: String, permissions: AttributePermissions = [.readable, .writeable],
        properties: CharacteristicProperties = [.read, .write, .notify], initialValue: Bytes? = nil
    ) {
        self.uuid = uuid
        self.name = name
        self.permissions = permissions
        self.properties = properties
        self.initialValue = initialValue
        stringValues = []
        configuration = nil
        textParts = []
        coding = .hexadecimal(name)
    }

    /// Creates a profile whose text is made by functions, as for a profile from a file.
    ///
    /// - Parameters:
    ///   - uuid: The UUID by which a discovered characteristic gets this profile.
    ///   - name: The name for people, which is not sent.
    ///   - permissions: The operations that a peripheral allows, and the encryption or authentication that they need.
    ///   - properties: The operations that centrals see as supported.
    ///   - initialValue: The first value that a peripheral offers; nil for an empty value.
    ///   - textParts: The parts of the text, in their order.
    ///   - text: The function that returns the texts of a value's parts by their names.
    ///   - parts: The function that returns the parts of a value, also those that it lacks.
    ///   - bytes: The function that returns the bytes of such texts; nil if the texts are not valid.
    package init(
        uuid: BluetoothUUID, name: String, permissions: AttributePermissions, properties: CharacteristicProperties,
        initialValue: Bytes?, textParts: [CharacteristicTextPart],
        text: @escaping @Sendable (Bytes) throws(SerDeError) -> [String: String],
        parts: @escaping @Sendable (Bytes) throws(SerDeError) -> [TextPart],
        bytes: @escaping @Sendable ([String: String]) -> Bytes?
    ) {
        self.uuid = uuid
        self.name = name
        self.permissions = permissions
        self.properties = properties
        self.initialValue = initialValue
        stringValues = textParts.count == 1 ? textParts[0].choices : []
        configuration = nil
        self.textParts = textParts
        coding = TextCoding(text: text, parts: parts, bytes: bytes)
    }

    /// Creates a profile as a type declares it.
    init(_ configuration: (some CharacteristicConfigurable).Type, stringValues: [String], coding: TextCoding) {
        uuid = configuration.uuid
        name = configuration.name
        permissions = configuration.permissions
        properties = configuration.properties
        initialValue = configuration.initialValue.initialBytes
        self.stringValues = stringValues
        self.configuration = configuration
        textParts = []
        self.coding = coding
    }

    /// Creates a profile as a type declares it, with hexadecimal text.
    init(declaredBy configuration: (some CharacteristicConfigurable).Type) {
        self.init(configuration, stringValues: [], coding: .hexadecimal(configuration.name))
    }

    /// Returns this profile itself.
    public var profile: CharacteristicProfile { self }

    /// Returns the text of a value.
    ///
    /// - Throws: `SerDeError` if the bytes are not a value of the profile's type.
    func text(_ bytes: Bytes) throws(SerDeError) -> [String: String] { try coding.text(bytes) }

    /// Returns the parts of a value in their order, also those that it lacks; nil if the bytes are not a value of the
    /// profile's type.
    package func parts(of bytes: Bytes) -> [TextPart]? { try? coding.parts(bytes) }

    /// Returns the bytes of the value for a text; nil if the text is not valid.
    public func bytes(fromString text: [String: String]) -> Bytes? { coding.bytes(text) }
}

extension CharacteristicProfile: CustomStringConvertible {
    /// The name and the UUID.
    public var description: String { "\(name) (\(uuid))" }
}

/// The conversions between the bytes and the text of a value.
struct TextCoding: Sendable {
    let text: @Sendable (Bytes) throws(SerDeError) -> [String: String]
    let parts: @Sendable (Bytes) throws(SerDeError) -> [TextPart]
    let bytes: @Sendable ([String: String]) -> Bytes?

    /// Returns the conversions for all bytes in hexadecimal, under one name.
    static func hexadecimal(_ name: String) -> TextCoding {
        TextCoding(
            text: { (bytes: Bytes) throws(SerDeError) -> [String: String] in [name: bytes.hex] },
            parts: { (bytes: Bytes) throws(SerDeError) -> [TextPart] in [TextPart(name, text: bytes.hex)] },
            bytes: { $0[name].flatMap { try? Bytes(hex: $0) } })
    }
}
