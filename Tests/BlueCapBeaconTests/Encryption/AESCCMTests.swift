// SPDX-License-Identifier: MIT

#if Crypto
@testable import BlueCapBeacon
import BlueCapSerDe
import Crypto
import Testing

@Suite("AES-CCM", .timeLimit(.minutes(60)))
struct AESCCMTests {
    private static let key = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"

    /// The packet vectors 1, 2, 3, 7 and 10 of RFC 3610: tags of 8 and 10 bytes, headers of 8 and 12, and messages that
    /// end before, at and behind the end of a block.
    @Test(
        arguments: [
            (8, "00000003020100a0a1a2a3a4a5", 8, 31, "588c979a61c663d2f066d0c2c0f989806d5f6b61dac38417e8d12cfdf926e0"),
            (
                8, "00000004030201a0a1a2a3a4a5", 8, 32,
                "72c91a36e135f8cf291ca894085c87e3cc15c439c9e43a3ba091d56e10400916"
            ),
            (
                8, "00000005040302a0a1a2a3a4a5", 8, 33,
                "51b1e5f44a197d1da46b0f8e2d282ae871e838bb64da8596574adaa76fbd9fb0c5"
            ),
            (
                10, "00000009080706a0a1a2a3a4a5", 8, 31,
                "0135d1b2c95f41d5d1d4fec185d166b8094e999dfed96c048c56602c97acbb7490"
            ),
            (10, "0000000c0b0a09a0a1a2a3a4a5", 12, 31, "07342594157785152b074098330abb141b947b566aa9406b4d999988dd"),
        ] as [(Int, String, Int, Int, String)])
    func `a message of RFC 3610 is sealed as there, and opened`(
        tag: Int, nonce: String, header: Int, end: Int, sealed: String
    ) throws {
        let cipher = try cipher(tag: tag)
        let packet = Bytes((0..<end).map { UInt8($0) })
        let (head, message) = (Bytes(packet.prefix(header)), Bytes(packet.dropFirst(header)))
        let nonce = try Bytes(hex: nonce)
        let result = try #require(cipher.seal(message, nonce: nonce, header: head))
        #expect(result.hex == sealed)
        #expect(cipher.open(result, nonce: nonce, header: head) == message)
        #expect(cipher.open(result, nonce: nonce) == nil)
    }

    @Test func `a message with a nonce of 12 bytes is sealed as in the third example of NIST SP 800-38C`() throws {
        let key = SymmetricKey(data: Array(0x40...0x4F) as [UInt8])
        let nonce = Bytes(0x10...0x1B as ClosedRange<UInt8>)
        let (header, message) = (Bytes(0...19 as ClosedRange<UInt8>), Bytes(0x20...0x37 as ClosedRange<UInt8>))
        let sealed = try Bytes(hex: "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951")
        let cipher = AESCCM(key: key, tagByteCount: 8)
        #expect(cipher.seal(message, nonce: nonce, header: header) == sealed)
        #expect(cipher.open(sealed, nonce: nonce, header: header) == message)
        // A tag of which the first bytes are sent.
        let cut = AESCCM(key: key, tagByteCount: 8, sentByteCount: 1)
        #expect(cut.open(Bytes(sealed.dropLast(7)), nonce: nonce, header: header) == message)
        #expect(cut.open(Bytes(sealed.dropLast(8)), nonce: nonce, header: header) == nil)
    }

    @Test func `sealed bytes of which a bit is changed, or the last is missing, are not opened`() throws {
        let cipher = try cipher(tag: 4)
        let nonce = Bytes(repeating: 7, count: 13)
        let sealed = try #require(cipher.seal(Bytes([1, 2, 3]), nonce: nonce))
        for bit in 0..<sealed.count * 8 {
            var changed = Array(sealed)
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(cipher.open(Bytes(changed), nonce: nonce) == nil)
        }
        for count in 0..<sealed.count { #expect(cipher.open(Bytes(sealed.prefix(count)), nonce: nonce) == nil) }
        #expect(cipher.open(sealed, nonce: nonce) == Bytes([1, 2, 3]))
    }

    @Test func `a message longer than its length can say, or a nonce of another length, is not sealed`() throws {
        let cipher = try cipher(tag: 4)
        let nonce = Bytes(repeating: 7, count: 13)
        #expect(cipher.seal(Bytes(repeating: 0, count: 65_536), nonce: nonce) == nil)
        for count in [10, 14] {
            #expect(cipher.seal(Bytes([1]), nonce: Bytes(repeating: 7, count: count)) == nil)
            #expect(cipher.open(Bytes(repeating: 7, count: 9), nonce: Bytes(repeating: 7, count: count)) == nil)
        }
        let longest = Bytes(repeating: 0, count: 65_535)
        #expect(cipher.seal(longest, nonce: nonce).flatMap { cipher.open($0, nonce: nonce) } == longest)
    }

    private func cipher(tag: Int) throws -> AESCCM {
        AESCCM(key: SymmetricKey(data: Array(try Bytes(hex: Self.key))), tagByteCount: tag)
    }
}
#endif
