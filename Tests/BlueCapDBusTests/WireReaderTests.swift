// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapTestExecutor
import Testing

@Suite(.timeLimit(.minutes(60)))
struct WireReaderTests {
    private static func message(_ values: [DBusValue]) throws -> Message {
        try .signal(path: "/a", interface: "a.b", member: "C", body: values)
    }

    private static func wireBytes(_ message: Message) throws -> [UInt8] {
        var bytes = message.frame.bytes
        // A serial, as if it had been sent.
        bytes[8] = 1
        return bytes
    }

    @Test(arguments: 0..<8)
    func `random bodies read as what they were written from, and are well-formed`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<150 {
            let values = (0..<Int.random(in: 1..<5, using: &random)).map { _ in random.value() }
            guard let message = try? Self.message(values) else { continue }
            let bytes = try Self.wireBytes(message)
            #expect(try WireReader.body(ofMessage: bytes, signature: message.signature) == values)
            let header = try FrameHeader(bytes.span)
            try header.checkBody(of: bytes.span)
        }
    }

    @Test(arguments: 0..<4)
    func `a body cut short anywhere is refused`(seed: UInt64) throws {
        var random = SeededRandom(seed: 100 + seed)
        for _ in 0..<40 {
            guard let message = try? Self.message([random.value(), random.value()]) else { continue }
            let bytes = try Self.wireBytes(message)
            for length in 0..<bytes.count {
                #expect(throws: DBusError.self) {
                    try WireReader.body(ofMessage: Array(bytes[..<length]), signature: message.signature)
                }
            }
        }
    }

    @Test(arguments: 0..<8)
    func `changed bytes and foreign signatures are read or refused, never a trap`(seed: UInt64) throws {
        var random = SeededRandom(seed: 200 + seed)
        var refused = 0
        for _ in 0..<300 {
            guard let message = try? Self.message([random.value(), random.value()]) else { continue }
            var bytes = try Self.wireBytes(message)
            for _ in 0..<Int.random(in: 1..<6, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8(truncatingIfNeeded: random.next())
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            let signature = [message.signature, "a{sv}", "a(yv)", "aas", "vvv", "x("].randomElement(using: &random)
            if (try? WireReader.body(ofMessage: bytes, signature: signature ?? "")) == nil { refused += 1 }
        }
        #expect(refused > 0)
    }

    @Test func `both byte orders read the same`() throws {
        let big: [UInt8] = [0, 0, 1, 2, 0, 3, 0, 0, 0, 0, 0, 2, 104, 105, 0]
        let little: [UInt8] = [2, 1, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 104, 105, 0]
        let expected: [DBusValue] = [.uint32(0x102), .uint16(3), .string("hi")]
        #expect(try WireReader.values(big, signature: "uqs", isBigEndian: true) == expected)
        #expect(try WireReader.values(little, signature: "uqs", isBigEndian: false) == expected)
    }

    @Test(arguments: [
        ("ay", 4, DBusValue.bytes([])), ("aq", 4, .array([], of: "q")), ("as", 4, .array([], of: "s")),
        ("at", 8, .array([], of: "t")), ("a(y)", 8, .array([], of: "(y)")), ("av", 4, .array([], of: "v")),
        ("a{sv}", 8, .properties([:])),
    ])
    func `an empty array of each alignment reads as empty, its padding included`(
        signature: String, length: Int, expected: DBusValue
    ) throws {
        let bytes = [UInt8](repeating: 0, count: length)
        #expect(try WireReader.values(bytes, signature: signature, isBigEndian: false) == [expected])
        #expect(throws: DBusError.self) {
            try WireReader.values(Array(bytes.dropLast()), signature: signature, isBigEndian: false)
        }
    }

    @Test(arguments: [
        ("b", [UInt8](arrayLiteral: 2, 0, 0, 0)),  // neither true nor false
        ("s", [1, 0, 0, 0, 0xFF, 0]),  // not UTF-8
        ("s", [1, 0, 0, 0, 0, 0]),  // NUL inside
        ("s", [1, 0, 0, 0, 97, 98]),  // no NUL at the end
        ("s", [255, 255, 255, 255, 97, 0]),  // longer than the body
        ("o", [1, 0, 0, 0, 97, 0]),  // not a path
        ("g", [1, 97, 0]),  // an array of nothing
        ("v", [2, 121, 121, 0, 1]),  // two types in one variant
        ("v", [0, 0]),  // no type in a variant
        ("ay", [255, 255, 255, 255, 1]),  // longer than the body
        ("au", [3, 0, 0, 0, 1, 2, 3]),  // not a whole element
        ("aq", [3, 0, 0, 0, 1, 2, 3, 4]),  // the last element passes the end
        ("y", [1, 2]),  // bytes left over
    ])
    func `ill-formed values are refused`(signature: String, bytes: [UInt8]) {
        #expect(throws: DBusError.self) {
            try WireReader.values(bytes, signature: signature, isBigEndian: false)
        }
    }

    @Test func `variants nested beyond the limit are refused, up to it they are read`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(repeatElement([1, 118, 0], count: depth - 1).joined()) + [1, 121, 0, 7]
        }
        #expect(try WireReader.values(nested(64), signature: "v", isBigEndian: false).count == 1)
        for depth in [65, 66, 1000, 100_000] {
            #expect(throws: DBusError.malformed("nested too deeply")) {
                try WireReader.values(nested(depth), signature: "v", isBigEndian: false)
            }
        }
    }

    @Test func `a body of more values than the limit is refused`() {
        let count = (WireReader.maximumValues + 1) * 2
        var bytes = unsafe withUnsafeBytes(of: UInt32(count).littleEndian) { unsafe Array($0) }
        bytes += [UInt8](repeating: 0, count: count)
        #expect(throws: DBusError.malformed("too many values")) {
            try WireReader.values(bytes, signature: "aq", isBigEndian: false)
        }
    }
}
#endif
