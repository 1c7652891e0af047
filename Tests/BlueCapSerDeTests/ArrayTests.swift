// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

@Suite("Arrays of values", .timeLimit(.minutes(5)))
struct ArrayTests {
    private func check<T: Deserializable & Equatable>(_ values: [T]) throws {
        let bytes = SerDe.serialize(values)
        #expect(bytes.count == values.count * T.size)
        #expect(SerDe.serialize(values, as: [UInt8].self) == Array(bytes))
        #expect(SerDe.serialize(values, as: Data.self) == bytes.data)
        #expect(try SerDe.deserialize(bytes, as: [T].self) == values)
        #expect(try SerDe.deserialize(Array(bytes), as: [T].self) == values)
        #expect(try SerDe.deserialize((Data([7]) + bytes.data)[1...], as: [T].self) == values)
        #expect(try bytes.withBytes { span in try SerDe.deserialize(span, as: [T].self) } == values)
        for surplus in 1..<T.size {
            let longer = bytes + [UInt8](repeating: 0, count: surplus)
            #expect(throws: SerDeError.trailingBytes(surplus)) { try SerDe.deserialize(longer, as: [T].self) }
            #expect(try SerDe.deserialize(longer, as: [T].self, surplus: .ignore) == values)
        }
    }

    @Test
    func `arrays go both ways from every source; a part of an element at the end is refused unless it is ignored`()
        throws
    {
        for count in [0, 1, 2, 10, 31, 122] {
            var random = SplitMix64(seed: UInt64(count))
            let numbers = (0..<count).map { _ in random.next() }
            try check(numbers)
            try check(numbers.map { UInt8(truncatingIfNeeded: $0) })
            try check(numbers.map { Int8(truncatingIfNeeded: $0) })
            try check(numbers.map { UInt16(truncatingIfNeeded: $0) })
            try check(numbers.map { Int16(truncatingIfNeeded: $0) })
            try check(numbers.map { UInt24(truncatingIfNeeded: $0) })
            try check(numbers.map { Int32(truncatingIfNeeded: $0) })
            try check(numbers.map { UInt48(truncatingIfNeeded: $0) })
            try check(numbers.map { SFloat(bitPattern: UInt16(truncatingIfNeeded: $0)) })
            try check(numbers.map { Float(Int32(truncatingIfNeeded: $0)) })
            try check(numbers.map { $0 % 2 == 0 })
        }
    }

    @Test func `an element that its type refuses is refused where it stands`() {
        #expect(throws: SerDeError.invalidValue(offset: 2)) {
            try SerDe.deserialize([0, 1, 2, 1] as Bytes, as: [Bool].self)
        }
    }
}
