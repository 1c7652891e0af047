// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
public import BlueCapCore
import BlueCapSerDe

/// Profiles of services that were declared in a file and not in Swift, for a person who has a device's data sheet,
/// and a program that shall read that device as text.
///
/// `BlueCap` reads one from JSON, with `ProfileManager(json:)`; the article "GATT profiles" of `BlueCapCore` has the
/// schema, and writes it, with `ProfileManager.json`. It is `Codable`, so that other formats can be read with another
/// decoder.
public struct ProfileFile: Decodable, Sendable {
    /// What stands under `schema` in a file.
    public static let schema = "bluecap-profiles"
    /// The newest version of the format that this package reads.
    public static let version = 1

    /// The profiles, in the order of the file.
    public let services: [ServiceProfile]

    enum Keys: String, CodingKey, CaseIterable { case schema, version, services }

    static let maximumServiceCount = 1024
    static let maximumCharacteristicCount = 256

    /// Creates a file of profiles, to be written.
    ///
    /// - Parameter services: The profiles, in the order of the file.
    public init(services: [ServiceProfile]) { self.services = services }

    /// Reads the file and checks all of it.
    ///
    /// - Throws: ``ProfileFileError`` for another schema or a newer version; the decoder's error for anything else,
    ///   with the path of the value that is wrong.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        guard try container.decodeIfPresent(String.self, forKey: .schema) == Self.schema else {
            throw ProfileFileError.notProfiles
        }
        guard let version = try container.whole(.version, as: Int.self) else {
            throw container.refusal(.version, "it is missing")
        }
        guard version <= Self.version else { throw ProfileFileError.newerVersion(version) }
        guard version >= 1 else { throw container.refusal(.version, "\(version) is no version") }
        // A newer version may have other keys.
        _ = try decoder.container(of: Keys.self)
        let declared = try container.list(DeclaredService.self, .services, maximum: Self.maximumServiceCount)
        services = declared.map(\.profile)
    }
}

/// A service as a file declares it.
private struct DeclaredService: Decodable {
    let profile: ServiceProfile

    private enum Keys: String, CodingKey, CaseIterable { case uuid, name, tag, characteristics }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Keys.self)
        profile = ServiceProfile(
            uuid: try container.uuid(.uuid), name: try container.name(.name),
            tag: try container.optionalName(.tag) ?? "Miscellaneous",
            characteristics: try container.list(
                DeclaredCharacteristic.self, .characteristics, maximum: ProfileFile.maximumCharacteristicCount
            ).map(\.profile))
    }
}

/// A characteristic as a file declares it.
private struct DeclaredCharacteristic: Decodable {
    let profile: CharacteristicProfile

    private enum Keys: String, CodingKey, CaseIterable {
        case uuid, name, properties, permissions, initialValue, flags, fields
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Keys.self)
        let flags = try container.decodeIfPresent(ProfileFieldForm.self, forKey: .flags)
        if let flags, !flags.isUnsigned { throw container.refusal(.flags, "\(flags.rawValue) is no unsigned integer") }
        let fields = try container.list(DeclaredField.self, .fields, maximum: 128).map(\.field)
        for (index, field) in fields.enumerated() {
            if fields[..<index].contains(where: { $0.name == field.name }) {
                throw container.refusal(.fields, "two fields are called '\(field.name)'")
            }
            if field.takesAllThatIsLeft, index != fields.count - 1 {
                throw container.refusal(.fields, "'\(field.name)' takes all that is left, and is not the last field")
            }
            if let highest = field.flagBits?.upperBound, highest >= 8 * (flags?.size ?? 0) {
                throw container.refusal(.fields, "'\(field.name)' goes by bit \(highest), which the flags do not have")
            }
            for other in fields[..<index] {
                guard let bit = field.bitTaken(from: other) else { continue }
                throw container.refusal(.fields, "'\(field.name)' and '\(other.name)' both go by bit \(bit)")
            }
        }
        let (uuid, name) = (try container.uuid(.uuid), try container.name(.name))
        let properties =
            try container.set(
                .properties, named: CharacteristicProperties.init(name:), kind: "property")
            ?? [.read, .write, .notify]
        let permissions =
            try container.set(.permissions, named: AttributePermissions.init(name:), kind: "permission")
            ?? [.readable, .writeable]
        var initialValue: Bytes?
        if let text = try container.decodeIfPresent(String.self, forKey: .initialValue) {
            guard text.utf8.count <= 1024, let bytes = try? Bytes(hex: text) else {
                throw container.refusal(.initialValue, "it is not up to 512 bytes in hexadecimal")
            }
            initialValue = bytes
        }
        guard !fields.isEmpty else {
            profile = CharacteristicProfile(
                uuid: uuid, name: name, permissions: permissions, properties: properties, initialValue: initialValue)
            return
        }
        let layout = ProfileLayout(flags: flags, fields: fields)
        if let initialValue {
            do { _ = try layout.text(initialValue) } catch {
                throw container.refusal(.initialValue, "it is no value of the fields: \(error)")
            }
        }
        profile = CharacteristicProfile(
            uuid: uuid, name: name, permissions: permissions, properties: properties, initialValue: initialValue,
            textParts: layout.parts, text: layout.text, parts: layout.parts(of:),
            bytes: layout.bytes)
    }
}

/// A field as a file declares it.
private struct DeclaredField: Decodable {
    let field: ProfileField

    private enum Keys: String, CodingKey, CaseIterable {
        case name, type, bigEndian, scale, offset, unit, unknown, values, flag, alternative = "else", bits, repeats,
            counted
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(of: Keys.self)
        let form = try container.decode(ProfileFieldForm.self, forKey: .type)
        var field = ProfileField(name: try container.name(.name), form: form)
        field.order = try container.decodeIfPresent(Bool.self, forKey: .bigEndian) == true ? .bigEndian : .littleEndian
        field.scale = try container.number(.scale)
        field.offset = try container.number(.offset) ?? 0
        if let scale = field.scale, scale == 0 || !scale.isFinite { throw container.refusal(.scale, "it is 0") }
        if field.offset != 0, field.scale == nil { field.scale = 1 }
        field.unit = try container.optionalName(.unit, maximum: 32)
        field.decimals = max(ProfileField.decimals(of: field.scale ?? 1), ProfileField.decimals(of: field.offset))
        field.unknown = try container.whole(.unknown, as: Int64.self).map { Int128($0) }
        let choices = try container.wholesByName(.values, as: Int64.self) ?? [:]
        field.choices = choices.map { ($0.key, Int128($0.value)) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        field.flag = try container.whole(.flag, as: Int.self)
        field.alternative = try container.decodeIfPresent(ProfileFieldForm.self, forKey: .alternative)
        field.repeats = try container.decodeIfPresent(Bool.self, forKey: .repeats) ?? false
        field.counted = try container.decodeIfPresent(ProfileFieldForm.self, forKey: .counted)
        if let bits = try container.wholes(.bits, as: Int.self, maximum: 64) {
            guard let first = bits.first, let last = bits.last, bits.count <= 2, first >= 0, first <= last else {
                throw container.refusal(.bits, "it is not the number of one bit, or the first and the last of several")
            }
            field.bits = first...last
        }
        try Self.check(field, in: container)
        self.field = field
    }

    private static func check(_ field: ProfileField, in container: KeyedDecodingContainer<Keys>) throws {
        if (field.form == .bits) != (field.bits != nil) {
            throw container.refusal(.bits, "a field of the type bits has them, and no other field")
        }
        let isNumber = field.form.isInteger || field.form == .bits
        if !isNumber, field.scale != nil || field.unknown != nil || !field.choices.isEmpty {
            throw container.refusal(.type, "only integers have scale, offset, unknown and values")
        }
        if field.unit != nil, field.form == .utf8 || field.form == .bytes {
            throw container.refusal(.unit, "only numbers have a unit")
        }
        if let alternative = field.alternative, field.flag == nil || !alternative.isInteger || !field.form.isInteger {
            throw container.refusal(.alternative, "only an integer with a flag has another form, an integer too")
        }
        if let counted = field.counted, !counted.isUnsigned || field.repeats || field.form == .bits {
            throw container.refusal(.counted, "\(counted.rawValue) does not count these")
        }
        if field.isList, let word = field.choices.map(\.text).first(where: { !ProfileField.canStandInList($0) }) {
            throw container.refusal(.values, "'\(word)' is empty, has a space or is '-', and so is no word of a list")
        }
        if field.repeats, field.form.size == nil { throw container.refusal(.repeats, "only numbers repeat") }
        if let flag = field.flag, flag < 0 || field.form == .bits {
            throw container.refusal(.flag, "\(flag) is no bit for this field")
        }
        if let unknown = field.unknown, !field.form.fits(unknown) {
            throw container.refusal(.unknown, "\(unknown) cannot be sent as \(field.form.rawValue)")
        }
    }
}

extension KeyedDecodingContainer {
    fileprivate func uuid(_ key: Key) throws -> BluetoothUUID {
        let text = try decode(String.self, forKey: key)
        guard text.utf8.count <= 64, let uuid = try? BluetoothUUID(text: text) else {
            throw refusal(key, "'\(text.prefix(64))' is no UUID")
        }
        return uuid
    }

    fileprivate func name(_ key: Key) throws -> String {
        guard let name = try optionalName(key) else { throw refusal(key, "it is missing") }
        return name
    }

    fileprivate func optionalName(_ key: Key, maximum: Int = 256) throws -> String? {
        guard let name = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard (1...maximum).contains(name.utf8.count) else {
            throw refusal(key, "it does not have 1 through \(maximum) bytes")
        }
        return name
    }

    fileprivate func list<Element: Decodable>(
        _ type: Element.Type, _ key: Key, maximum: Int
    ) throws -> [Element] {
        guard contains(key), try !decodeNil(forKey: key) else { return [] }
        var container = try nestedUnkeyedContainer(forKey: key)
        var elements: [Element] = []
        while !container.isAtEnd {
            guard elements.count < maximum else { throw refusal(key, "it has more than \(maximum) elements") }
            elements.append(try container.decode(Element.self))
        }
        return elements
    }

    /// A set by the names of its elements; nil where the key is missing.
    fileprivate func set<Value: OptionSet>(
        _ key: Key, named member: (String) -> Value?, kind: String
    ) throws -> Value? where Value.Element == Value {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try list(String.self, key, maximum: 64).reduce(into: []) { set, name in
            guard let value = member(name) else { throw refusal(key, "'\(name.prefix(64))' is no \(kind)") }
            set.formUnion(value)
        }
    }
}
#endif
