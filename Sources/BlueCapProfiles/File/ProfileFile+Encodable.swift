// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
import BlueCapCore
import BlueCapSerDe

extension ProfileFile: Encodable {
    /// Writes the profiles in the form in which they are read, as far as a file can have them.
    ///
    /// A file has the names, UUIDs, properties, permissions and first values of profiles that were declared in Swift.
    /// The fields of their values are found by trying values: those of texts in UTF-8, and those of values of one
    /// length with integers, numbers and words. Values of other types are hexadecimal in the file. A file says nothing
    /// of numbers that a type refuses.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(Self.schema, forKey: .schema)
        try container.encode(Self.version, forKey: .version)
        try container.encode(services.prefix(Self.maximumServiceCount).map { WrittenService($0) }, forKey: .services)
    }
}

/// A service in the form of a file.
private struct WrittenService: Encodable {
    var uuid: String
    var name: String
    var tag: String
    var characteristics: [WrittenCharacteristic]

    init(_ profile: ServiceProfile) {
        uuid = profile.uuid.fullDescription
        name = profile.name.cut(or: uuid)
        tag = profile.tag.cut(or: "Miscellaneous")
        characteristics = profile.characteristics.prefix(ProfileFile.maximumCharacteristicCount).map {
            WrittenCharacteristic($0)
        }
    }
}

/// A characteristic in the form of a file.
private struct WrittenCharacteristic: Encodable {
    var uuid: String
    var name: String
    var properties: [String]
    var permissions: [String]
    var initialValue: String?
    var fields: [WrittenField]?

    init(_ profile: CharacteristicProfile) {
        uuid = profile.uuid.fullDescription
        name = profile.name.cut(or: uuid)
        properties = profile.properties.names
        permissions = profile.permissions.names
        let value = profile.initialValue.flatMap { $0.count <= 512 ? $0 : nil }
        initialValue = value?.hex
        let found = ProfileFieldFinder.fields(of: profile)
        let layout = ProfileLayout(flags: nil, fields: found)
        let areNamed = found.allSatisfy { (1...256).contains($0.name.utf8.count) }
        // A file with a first value that is none of its fields is refused.
        let areWritable = areNamed && found.allSatisfy(\.hasNumbersOfAFile)
        guard !found.isEmpty, areWritable, value.map({ (try? layout.text($0)) != nil }) ?? true else { return }
        fields = found.map { WrittenField($0) }
    }
}

/// A field in the form of a file.
private struct WrittenField: Encodable {
    var name: String
    var type: String
    var bigEndian: Bool?
    var scale: Double?
    var offset: Double?
    var unit: String?
    var unknown: Int64?
    var values: [String: Int64]?

    init(_ field: ProfileField) {
        name = field.name
        type = field.form.rawValue
        bigEndian = field.order == .bigEndian ? true : nil
        scale = field.scale
        offset = field.offset == 0 ? nil : field.offset
        unit = field.unit
        unknown = field.unknown.flatMap { Int64(exactly: $0) }
        let words = field.choices.compactMap { choice in Int64(exactly: choice.raw).map { (choice.text, $0) } }
        values = words.isEmpty ? nil : Dictionary(words) { first, _ in first }
    }
}

extension ProfileField {
    /// Whether a file can have its raw values, which are at most those of an `Int64` there.
    fileprivate var hasNumbersOfAFile: Bool {
        (unknown.map { [$0] } ?? [] + choices.map(\.raw)).allSatisfy { Int64(exactly: $0) != nil }
    }
}

extension String {
    /// The text as a name that a file takes, which has 1 through 256 bytes.
    fileprivate func cut(or other: String) -> String {
        var text = isEmpty ? other : self
        while text.utf8.count > 256 { text.removeLast() }
        return text.isEmpty ? other : text
    }
}
#endif
