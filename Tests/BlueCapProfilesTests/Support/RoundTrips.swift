// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

/// Decodes seeded random bytes (0 through 80 of them, mostly few, many of them small numbers) and expects of every
/// value that comes out that it survives the way to bytes and back, and to text and back, unchanged.
///
/// No input may trap, nor may any cut form of a value that was written.
///
/// - Parameters:
///   - inputs: How many inputs are tried; fewer when 200 of them have decoded.
///   - atLeast: How many of the inputs must decode, so that the test cannot pass by refusing everything.
///   - prepare: Makes an input likelier to decode, such as by setting an op code.
func expectRoundTrips<T: ByteCodable & StringDeserializable & Equatable>(
    of type: T.Type, seed: UInt64 = 1, inputs: Int = 4000, atLeast: Int = 15,
    sourceLocation: SourceLocation = #_sourceLocation,
    prepare: (inout [UInt8], inout SeededRandom) -> Void = { _, _ in }
) {
    var random = SeededRandom(seed: seed)
    var decoded = 0
    for _ in 0..<inputs where decoded < max(200, atLeast) {
        var input = randomInput(&random)
        prepare(&input, &random)
        guard let value = try? SerDe.deserialize(input, as: T.self) else { continue }
        decoded += 1
        let bytes = SerDe.serialize(value)
        guard let again = try? SerDe.deserialize(bytes, as: T.self), again == value else {
            Issue.record(
                "\(T.self) from \(Bytes(input)) is lost on the way to \(bytes)", sourceLocation: sourceLocation)
            return
        }
        guard T(stringValue: value.stringValue) == value else {
            Issue.record(
                "\(T.self) from \(Bytes(input)) is lost in \(value.stringValue)", sourceLocation: sourceLocation)
            return
        }
        if decoded > 50 { continue }
        for count in 0..<bytes.count { _ = try? SerDe.deserialize(Bytes(bytes.prefix(count)), as: T.self) }
    }
    #expect(decoded >= atLeast, "only \(decoded) inputs decoded", sourceLocation: sourceLocation)
}

/// Expects a value's bytes, and the value from those bytes, and the way through text.
func expectBytes<T: ByteCodable & StringDeserializable & Equatable>(
    _ value: T, _ bytes: Bytes, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(SerDe.serialize(value) == bytes, sourceLocation: sourceLocation)
    #expect((try? SerDe.deserialize(bytes, as: T.self)) == value, sourceLocation: sourceLocation)
    #expect(T(stringValue: value.stringValue) == value, sourceLocation: sourceLocation)
}

private func randomInput(_ random: inout SeededRandom) -> [UInt8] {
    let longest = [4, 20, 80].randomElement(using: &random) ?? 80
    let count = Int.random(in: 0...longest, using: &random)
    return (0..<count).map { _ in
        let bits = random.next()
        let byte = UInt8(truncatingIfNeeded: bits >> 8)
        // A quarter each is 0 and a small number, as in many fields; a half is any byte.
        return bits & 3 == 0 ? 0 : bits & 3 == 1 ? byte % 12 + 1 : byte
    }
}
