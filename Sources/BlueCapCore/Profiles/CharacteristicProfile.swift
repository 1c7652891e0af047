// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What a characteristic is called, what may be done with it, and how its value reads as text.
///
/// By itself it is the profile of a characteristic of which nothing more is known: its text is hexadecimal, one field
/// under its ``name``. The kinds that know the type of the value, ``RawCharacteristicProfile`` and the others, are
/// turned into one of these where profiles of different kinds are kept together; the text of the type stays with it.
public struct CharacteristicProfile: CharacteristicProfileProtocol {
    /// The name of what has no profile: "Unknown".
    public static var unknownName: String { "Unknown" }

    /// The UUID by which a discovered characteristic gets this profile.
    public let uuid: BluetoothUUID
    /// The name for people, which is not sent.
    public let name: String
    /// The operations that are allowed, and whether they need encryption or authentication.
    public let permissions: AttributePermissions
    /// What may be done with the characteristic.
    public let properties: CharacteristicProperties
    /// The value that a peripheral offers first.
    public let initialValue: Bytes?
    /// The texts that the value can have, when they are few; empty otherwise.
    public let stringValues: [String]
    /// The type that declares the characteristic; nil for one made of single parts.
    package let configuration: (any CharacteristicConfigurable.Type)?
    /// The parts of the text in their order, where a file declares them; empty otherwise.
    package let textParts: [CharacteristicTextPart]
    private let coding: TextCoding

    /// The units of the parts of the text by their names, such as "kJ"; without those that have none, or one that is
    /// part of the value.
    public var units: [String: String] {
        if let configuration { return (configuration as? any StringDeserializable.Type)?.units ?? [:] }
        return textParts.reduce(into: [:]) { units, part in units[part.name] = part.unit }
    }

    /// Whether more is known of the value than its bytes: by a type, or by a file.
    package var declaresValues: Bool { configuration != nil || !textParts.isEmpty }

    /// Creates the profile of a characteristic of which only the UUID is known: "Unknown", readable and writeable, with
    /// read, write and notify, without an initial value.
    public init(uuid: BluetoothUUID) { self.init(uuid: uuid, name: Self.unknownName) }

    /// Creates a profile whose text is hexadecimal, one field under the name.
    ///
    /// - Parameters:
    ///   - uuid: The UUID by which a discovered characteristic gets this profile.
    ///   - name: The name for people, which is not sent; it also names the one field of the text.
    ///   - permissions: The operations that a peripheral allows, and whether they need encryption or authentication.
    ///   - properties: The operations that centrals see as possible.
    ///   - initialValue: The value that a peripheral offers first; nil for one without bytes.
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

    /// A profile whose text is made by functions, as that of a file is.
    ///
    /// - Parameters:
    ///   - uuid: The UUID by which a discovered characteristic gets this profile.
    ///   - name: The name for people, which is not sent.
    ///   - permissions: The operations that a peripheral allows, and whether they need encryption or authentication.
    ///   - properties: The operations that centrals see as possible.
    ///   - initialValue: The value that a peripheral offers first; nil for one without bytes.
    ///   - textParts: The parts of the text, in their order.
    ///   - text: The texts of a value's parts by their names.
    ///   - bytes: The bytes that such texts stand for; nil when they have no meaning.
    package init(
        uuid: BluetoothUUID, name: String, permissions: AttributePermissions, properties: CharacteristicProperties,
        initialValue: Bytes?, textParts: [CharacteristicTextPart],
        text: @escaping @Sendable (Bytes) throws(SerDeError) -> [String: String],
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
        coding = TextCoding(text: text, bytes: bytes)
    }

    /// A profile as a type declares it.
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

    /// A profile as a type declares it, with hexadecimal text.
    init(declaredBy configuration: (some CharacteristicConfigurable).Type) {
        self.init(configuration, stringValues: [], coding: .hexadecimal(configuration.name))
    }

    /// Returns this profile itself.
    public var profile: CharacteristicProfile { self }

    /// The text of a value.
    ///
    /// - Throws: `SerDeError` when the bytes are not a value of the profile's type.
    func text(_ bytes: Bytes) throws(SerDeError) -> [String: String] { try coding.text(bytes) }

    /// The value for a text; nil when it means nothing.
    public func bytes(fromString text: [String: String]) -> Bytes? { coding.bytes(text) }
}

extension CharacteristicProfile: CustomStringConvertible {
    /// Name and UUID.
    public var description: String { "\(name) (\(uuid))" }
}

/// How the bytes of a value become text and the other way round.
struct TextCoding: Sendable {
    let text: @Sendable (Bytes) throws(SerDeError) -> [String: String]
    let bytes: @Sendable ([String: String]) -> Bytes?

    /// All bytes in hexadecimal, under one name.
    static func hexadecimal(_ name: String) -> TextCoding {
        TextCoding(
            text: { (bytes: Bytes) throws(SerDeError) -> [String: String] in [name: bytes.hex] },
            bytes: { $0[name].flatMap { try? Bytes(hex: $0) } })
    }
}
