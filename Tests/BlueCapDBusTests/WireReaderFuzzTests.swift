// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapPrivateBus
import BlueCapTestExecutor
import Testing

/// Bytes that were messages once.
@Suite(.timeLimit(.minutes(60)))
struct WireReaderFuzzTests {
    /// Message bytes with the signature that they are to be read by.
    struct Sample {
        var bytes: [UInt8]
        var signature: String

        static func random(_ random: inout SeededRandom) -> Sample? {
            let values = (0..<Int.random(in: 1..<5, using: &random)).map { _ in random.value() }
            guard let message = try? Message.signal(path: "/a", interface: "a.b", member: "C", body: values) else {
                return nil
            }
            var bytes = message.frame.bytes
            // A serial, as if it had been sent.
            bytes[8] = 1
            return Sample(bytes: bytes, signature: message.signature)
        }

        /// The offset of the body.
        var start: Int {
            let fields = (0..<4).reduce(0) { $0 | Int(bytes[12 + $1]) << (8 * $1) }
            return (16 + fields + 7) & ~7
        }

        /// Changes bytes and words of the body, or its length, and has the header claim the length that it has.
        func mutated(_ random: inout SeededRandom) -> Sample {
            var copy = self
            for _ in 0..<Int.random(in: 1..<6, using: &random) { copy.mutate(from: start, &random) }
            let length = copy.bytes.count - start
            for byte in 0..<4 { copy.bytes[4 + byte] = UInt8(truncatingIfNeeded: length >> (8 * byte)) }
            if Int.random(in: 0..<8, using: &random) == 0 { copy.bytes[0] = UInt8(ascii: "B") }
            if Int.random(in: 0..<4, using: &random) == 0 {
                copy.signature = Self.signatures.randomElement(using: &random) ?? ""
            }
            return copy
        }

        private static let signatures = [
            "a{sv}", "a(yv)", "aas", "vvv", "x(", "a{oa{sa{sv}}}", "ay", "at", "a{qv}", "g", "h", "a(a(a(y)))", "",
        ]
        private static let lengths: [UInt32] = [
            0, 1, 7, 8, 64, 0x7FFF, 0x00FF_FFFF, 0x0400_0000, 0x0400_0001, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF8, .max,
        ]

        private mutating func mutate(from start: Int, _ random: inout SeededRandom) {
            guard bytes.count - start >= 4 else { return bytes.append(0) }
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                bytes[Int.random(in: start..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            case 1:
                bytes[Int.random(in: start..<bytes.count, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            case 2, 3:
                // Where lengths stand.
                let place = start + Int.random(in: 0...(bytes.count - start - 4) / 4, using: &random) * 4
                let length = Self.lengths.randomElement(using: &random) ?? 0
                for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: length >> UInt32(8 * byte)) }
            case 4: bytes.removeLast(Int.random(in: 0...bytes.count - start, using: &random))
            default:
                let from = Int.random(in: start..<bytes.count, using: &random)
                bytes += bytes[from..<min(from + 32, bytes.count)]
            }
        }
    }

    /// Reads mutations of random messages, and says how many were read and how many refused.
    static func read(_ count: Int, seed: UInt64) -> (read: Int, refused: Int) {
        var random = SeededRandom(seed: seed)
        var (read, refused) = (0, 0)
        while read + refused < count {
            guard let sample = Sample.random(&random) else { continue }
            for _ in 0..<20 {
                let mutated = sample.mutated(&random)
                let values = try? WireReader.body(ofMessage: mutated.bytes, signature: mutated.signature)
                if values == nil { refused += 1 } else { read += 1 }
            }
        }
        return (read, refused)
    }

    @Test
    func `20 000 mutated messages are read or refused, and take no memory for the lengths that they claim`() async {
        await #expect(processExitsWith: .success) {
            Process.limitMemory()
            let (read, refused) = Self.read(20_000, seed: 2)
            // Both happen often, or the mutations would not reach far.
            #expect(read > 1000 && refused > 1000, "\(read) read, \(refused) refused")
        }
    }

    @Test(arguments: ["ay", "at", "as", "a{sv}", "a(yv)", "av", "a{qv}"])
    func `an array that claims more than there is takes no memory for it`(signature: String) async {
        await #expect(processExitsWith: .success) { [signature] in
            Process.limitMemory()
            for length: UInt32 in [0x0400_0000, 0x0300_0000, .max] {
                let bytes = FakeBus.number(length) + [UInt8](repeating: 0, count: 64)
                #expect(throws: DBusError.self) {
                    try WireReader.values(bytes, signature: signature, isBigEndian: false)
                }
            }
        }
    }

    @Test
    func `a process whose memory is limited ends when it takes what the smallest of these claims`() async {
        await #expect(processExitsWith: .failure) {
            Process.limitMemory()
            withExtendedLifetime([UInt8](repeating: 1, count: 0x0300_0000)) {}
        }
    }
}
#endif
