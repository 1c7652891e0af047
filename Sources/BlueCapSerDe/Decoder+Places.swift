// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
extension Decoder {
    /// The values of an object, which is refused with other keys than these: most likely they are misspelt.
    ///
    /// - Parameters:
    ///   - type: All keys that there are.
    ///   - advice: The sentence behind the colon, for an unknown key and the names of the known ones.
    package func container<Key: CodingKey & CaseIterable>(
        of type: Key.Type,
        advice: (String, [String]) -> String = { "choose " + $1.map { "'\($0)'" }.joined(separator: ", ") }
    ) throws -> KeyedDecodingContainer<Key> {
        let keys = Key.allCases.map(\.stringValue)
        // The first in their order, as they come in another one each time.
        let unknown = try container(keyedBy: TextKey.self).allKeys.filter { !keys.contains($0.stringValue) }
        if let key = unknown.min(by: { $0.stringValue < $1.stringValue })?.stringValue {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "there is no '\(key.prefix(64))' here: " + advice(key, keys.sorted()),
                    underlyingError: TextKey(stringValue: key)))
        }
        return try container(keyedBy: Key.self)
    }
}

/// Numbers that do not fit, for which Foundation's decoder has an error without a place.
extension KeyedDecodingContainer {
    package func refusal(_ key: Key, _ reason: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath + [key], debugDescription: reason))
    }

    package func whole<Number: FixedWidthInteger & Decodable>(
        _ key: Key, as type: Number.Type = Number.self, in range: ClosedRange<Number> = Number.min...Number.max
    ) throws -> Number? {
        try MisfitNumber.refused([key], in: codingPath, MisfitNumber.reason(range)) {
            try decodeIfPresent(type, forKey: key)
        }
    }

    package func number(_ key: Key) throws -> Double? {
        try MisfitNumber.refused([key], in: codingPath, MisfitNumber.reason) {
            try decodeIfPresent(Double.self, forKey: key)
        }
    }

    /// A list of whole numbers, no longer than a limit; nil where the key is missing.
    package func wholes<Number: FixedWidthInteger & Decodable>(
        _ key: Key, as type: Number.Type = Number.self, maximum: Int
    ) throws -> [Number]? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        var container = try nestedUnkeyedContainer(forKey: key)
        var list: [Number] = []
        while !container.isAtEnd {
            guard list.count < maximum else { throw refusal(key, "it has more than \(maximum) elements") }
            let path: [any CodingKey] = [key, IndexKey(intValue: list.count)]
            list.append(
                try MisfitNumber.refused(path, in: codingPath, MisfitNumber.reason(Number.min...Number.max)) {
                    try container.decode(type)
                })
        }
        return list
    }

    /// Whole numbers by names; nil where the key is missing.
    package func wholesByName<Number: FixedWidthInteger & Decodable>(
        _ key: Key, as type: Number.Type = Number.self
    ) throws -> [String: Number]? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        let container = try nestedContainer(keyedBy: TextKey.self, forKey: key)
        var numbers: [String: Number] = [:]
        for name in container.allKeys {
            guard let number = try container.whole(name, as: type) else {
                throw container.refusal(name, MisfitNumber.reason(Number.min...Number.max))
            }
            numbers[name.stringValue] = number
        }
        return numbers
    }
}

private enum MisfitNumber {
    static let reason = "this number is too great or too small"

    static func reason<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> String {
        "this is a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    /// Gives a place and a reason to the decoder's error for a number that does not fit, which is none for a value of
    /// another kind.
    static func refused<Value>(
        _ keys: [any CodingKey], in path: [any CodingKey], _ reason: String, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch {
            switch error as? DecodingError {
            case .typeMismatch, .valueNotFound, .keyNotFound: throw error
            default:
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: path + keys, debugDescription: reason, underlyingError: error))
            }
        }
    }
}

/// The place of an element in a list.
private struct IndexKey: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }

    init(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
}
#endif
