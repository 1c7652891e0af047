// SPDX-License-Identifier: MIT

/// The members of an object, of which each key stands once.
struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// From how many members on there is a table of the keys.
    private static var fewMembers: Int { 16 }

    let codingPath: [any CodingKey]
    private let members: [PlacedJSON.Member]
    private let places: [String: Int]

    init(_ members: [PlacedJSON.Member], _ path: [any CodingKey]) {
        (self.members, codingPath) = (members, path)
        places =
            members.count <= Self.fewMembers
            ? [:] : Dictionary(members.indices.map { (members[$0].key, $0) }) { first, _ in first }
    }

    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { value(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try superDecoder(of: PathKey(stringValue: "super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func superDecoder(of key: PathKey) throws -> any Decoder {
        guard let value = members.first(where: { $0.key == key.stringValue })?.value else { throw missing(key) }
        return JSONValueDecoder(value, codingPath + [key])
    }

    private func value(_ key: Key) -> PlacedJSON? {
        if members.count <= Self.fewMembers { return members.first { $0.key == key.stringValue }?.value }
        return places[key.stringValue].map { members[$0].value }
    }

    private func decoder(_ key: Key) throws -> JSONValueDecoder {
        guard let value = value(key) else { throw missing(key) }
        return JSONValueDecoder(value, codingPath + [key])
    }

    private func missing(_ key: any CodingKey) -> DecodingError {
        .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: "it is missing"))
    }
}
