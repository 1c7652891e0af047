// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

/// Expects of a type whose every value has the same size that fewer bytes throw the needed and the available count,
/// that one more is rejected unless surplus bytes are ignored, and that every decoded value survives the way through
/// bytes and through text.
///
/// All values are tried up to two bytes, 4000 seeded random ones above.
func expectFixedSize<T: ByteCodable & StringDeserializable & Equatable>(
    _ type: T.Type, size: Int, valid: Bytes, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(valid.count == size, sourceLocation: sourceLocation)
    for count in 0..<size {
        #expect(
            throws: SerDeError.truncated(needed: size, available: count, offset: 0), sourceLocation: sourceLocation
        ) {
            try SerDe.deserialize(Bytes(valid.prefix(count)), as: T.self)
        }
    }
    let surplus = Bytes(Array(valid) + [1])
    #expect(throws: SerDeError.trailingBytes(1), sourceLocation: sourceLocation) {
        try SerDe.deserialize(surplus, as: T.self)
    }
    #expect(
        (try? SerDe.deserialize(surplus, as: T.self, surplus: .ignore)) == (try? SerDe.deserialize(valid)),
        sourceLocation: sourceLocation)
    var random = SeededRandom(seed: 7)
    let isWhole = size <= 2
    var decoded = 0
    for number in 0..<(isWhole ? 1 << (8 * size) : 4000) {
        let bytes = Bytes(
            (0..<size).map { isWhole ? UInt8(number >> (8 * $0) & 0xff) : .random(in: 0...255, using: &random) })
        guard let value = try? SerDe.deserialize(bytes, as: T.self) else { continue }
        decoded += 1
        guard SerDe.serialize(value) == bytes, T(stringValue: value.stringValue) == value else {
            Issue.record("\(T.self) from \(bytes) is lost in \(value.stringValue)", sourceLocation: sourceLocation)
            return
        }
    }
    #expect(decoded > 0, sourceLocation: sourceLocation)
}

/// Expects each text of a choice to stand for the number at its place, both ways, and every other number to be refused.
func expectChoices<T: RawDeserializable & TextChoice & Equatable>(
    _ type: T.Type, _ texts: [String], sourceLocation: SourceLocation = #_sourceLocation
) where T.RawType == UInt8 {
    #expect(T.stringValues == texts, sourceLocation: sourceLocation)
    for (number, text) in texts.enumerated() {
        let value = try? SerDe.deserialize([UInt8(number)], as: T.self)
        #expect(value?.stringValue == [T.name: text], sourceLocation: sourceLocation)
        #expect(T(stringValue: [T.name: text]) == value, sourceLocation: sourceLocation)
    }
    for number in UInt8(texts.count)...UInt8.max {
        #expect(throws: SerDeError.invalidValue(offset: 0), sourceLocation: sourceLocation) {
            try SerDe.deserialize([number], as: T.self)
        }
    }
    #expect(T(stringValue: [T.name: "\(texts[0])?"]) == nil, sourceLocation: sourceLocation)
    #expect(T(stringValue: [:]) == nil, sourceLocation: sourceLocation)
}

extension Double {
    /// Whether the difference between the number and another is within a tolerance.
    func isClose(to other: Double, within tolerance: Double) -> Bool { (self - other).magnitude <= tolerance }
}
