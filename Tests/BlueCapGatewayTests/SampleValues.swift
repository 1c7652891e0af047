// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapSerDe

/// Values of a characteristic: each flag alone and with others, with known and with unknown numbers.
enum SampleValues {
    /// The first bytes, which are flags or a code in many characteristics.
    private static let heads: [UInt32] = {
        let mixed: [UInt32] = [0x5555_5555, 0xAAAA_AAAA, 0x3333_3333, 0x0F0F_0F0F, 0x00FF_00FF, 0x1234_5678]
        return [0, .max] + (0..<24).map { 1 << $0 } + mixed
    }()

    /// The bytes behind them, over and over: small numbers, the outermost ones of 8, 16 and 24 bits, and the medical
    /// numbers that are none.
    private static let bodies: [[UInt8]] = [
        [0], [1], [0xFF], [0xFE], [0x00, 0x80], [0xFF, 0x7F], [0xFF, 0x07], [0x00, 0x08], [0x01, 0x08], [0xFE, 0x07],
        [0xFF, 0xFF, 0x7F, 0x00], [0x00, 0x00, 0x80, 0x00],
    ]

    /// The values among them that the profile reads.
    static func all(of profile: CharacteristicProfile) -> [Bytes] {
        var found: Set<Bytes> = []
        for head in heads {
            // The two shortest values that these flags allow: a field may be read in a form of its own in the longer.
            let lengths = (0...40).lazy.filter { profile.stringValue(value(head, [0], $0, from: 3)) != nil }
            for length in lengths.prefix(2) {
                for body in bodies {
                    for start in 1...3 { found.insert(value(head, body, length, from: start)) }
                }
                // Behind a date, which hardly any of them is.
                for body in bodies.suffix(10) {
                    for start in max(3, length - 6)..<max(3, length) {
                        let quiet = value(head, [0], start, from: 3)
                        found.insert(quiet + value(0, body, length - start, from: 0))
                    }
                }
            }
        }
        return found.filter { profile.stringValue($0) != nil }.sorted { $0.hex < $1.hex }
    }

    private static func value(_ head: UInt32, _ body: [UInt8], _ count: Int, from start: Int) -> Bytes {
        Bytes(
            (0..<count).map { index in
                index < start ? UInt8(truncatingIfNeeded: head >> (8 * index)) : body[(index - start) % body.count]
            })
    }
}
#endif
