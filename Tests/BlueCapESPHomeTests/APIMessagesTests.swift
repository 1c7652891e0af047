// SPDX-License-Identifier: MIT

import BlueCapSerDe
import BlueCapTestExecutor
import Testing

@testable import BlueCapESPHome

@Suite("Messages", .timeLimit(.minutes(60)))
struct APIMessagesTests {
    /// Numbers and bodies of a session between ESPHome 2026.10.0 and aioesphomeapi 46.23.0.
    private static let session = """
        1 0a056a7564676510011813
        2 080110131a09323032362e31302e302209686f737470726f7879
        3
        5
        6
        9
        11
        19
        66 0801
        68 08d588cd91928230100518012001
        68 08d588cd919282301002
        68 08d588cd919282301003
        69 08d588cd91928230100118f701
        69 08d588cd919282302016
        69 08e6aa919aa3a404203e
        70 08d588cd91928230
        72 08d588cd91928230
        73 08d588cd91928230100c
        73 08d588cd9192823010e707
        73 08d588cd91928230101b
        74 08d588cd91928230100c1a0157
        74 08d588cd91928230100e1a06636861726765
        74 08d588cd91928230101b1a066c6f636b6564
        75 08d588cd9192823010161801220568656c6c6f
        75 08d588cd9192823010162203616263
        76 08d588cd91928230100e
        77 08d588cd9192823010191a020100
        78 08d588cd9192823010181801
        78 08d588cd919282301018
        79 08d588cd9192823010181a056f6c6c6568
        79 08d588cd9192823010181a03636261
        80
        81 08031003
        81 0802100318d588cd91928230
        81 0802100318e6aa919aa3a404
        82 08d588cd9192823010e7071801
        82 08d588cd91928230101b1805
        82 08d588cd91928230100c18ffffffffffffffffff01
        83 08d588cd919282301019
        83 08d588cd919282301016
        84 08d588cd919282301018
        85 08d588cd919282301001
        86 08d588cd919282301001
        86 08d588cd9192823018ffffffffffffffffff01
        87
        88 08d588cd9192823018ffffffffffffffffff01
        93 0a1a08818080c09398291077220e0201060a16d2fc4002e20703bf130a1c08d588cd9192823010631801220e02010603030f18060950726f746f
        126 080210011801
        126 08021801
        127
        127 0801
        149
        150 0a1608ef01121143303a44453a30303a30303a30303a3031
        """

    private func raw(_ line: Substring) throws -> RawMessage {
        let words = line.split(separator: " ")
        let body = words.count > 1 ? Array(try Bytes(hex: String(words[1]))) : []
        return RawMessage(number: try #require(UInt16(words[0])), body: body[...])
    }

    @Test func `of other programs are read, and written as they write them`() throws {
        for line in Self.session.split(separator: "\n") {
            let raw = try raw(line)
            let message = try #require(try APIMessages.decode(raw), "\(line)")
            #expect(message.raw == raw, "\(line)")
        }
    }

    @Test func `have their values in the fields of the table`() throws {
        var advertisement = RawAdvertisement()
        (advertisement.address, advertisement.rssi, advertisement.addressType) = (0xC011_2233_4455, -60, 1)
        advertisement.data = [2, 1, 6]
        var response = RawAdvertisementsResponse()
        response.advertisements = [advertisement]
        #expect(response.encoded == Array(try Bytes(hex: "0a1108d588cd9192823010771801220302 0106")))
        var error = ErrorResponse()
        error.error = -1
        #expect(error.encoded == [0x18] + [UInt8](repeating: 0xFF, count: 9) + [1])
        #expect(try ErrorResponse(encoded: error.encoded[...]) == error)
    }

    @Test func `skip fields that they do not have, and those of another kind`() throws {
        let body = Array(try Bytes(hex: "f20103aabbcc 0d01020304 1102030405060708 09 0801 0a0101 1005"))
        let request = try ReadRequest(encoded: body[...])
        #expect((request.address, request.handle) == (1, 5))
        #expect(try APIMessages.decode(RawMessage(number: 65_535, body: [1, 2])) == nil)
    }

    @Test func `read repeated numbers packed and one by one`() throws {
        for body in [[0x1A, 0x02, 0x05, 0x07], [0x18, 0x05, 0x18, 0x07], [0x1A, 0x01, 0x05, 0x18, 0x07]] as [[UInt8]] {
            #expect(try SlotsResponse(encoded: body[...]).allocated == [5, 7])
        }
        #expect(throws: WireError.malformed) { _ = try SlotsResponse(encoded: [0x1A, 0x02, 0x05, 0x87]) }
    }

    @Test(
        arguments: [
            [0x08], [0x08, 0x80], [0x22, 0x05, 0x01], [0x00, 0x01], [0x0B, 0x01], [0x0F], [0x0D, 1, 2, 3],
            [0x22, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
        ] as [[UInt8]])
    func `that break the encoding are refused`(body: [UInt8]) {
        #expect(throws: WireError.malformed) { _ = try WriteRequest(encoded: body[...]) }
    }

    @Test func `have each number once, and fields in ascending order`() {
        #expect(Set(APIMessages.all.map { $0.number }).count == APIMessages.all.count)
        for type in APIMessages.all { expectAscending(type) }
        expectAscending(RemoteService.self)
        expectAscending(RemoteCharacteristic.self)
        expectAscending(RemoteDescriptor.self)
        expectAscending(RawAdvertisement.self)
        expectAscending(ProxyCapability.self)
    }

    private func expectAscending<Group: APIGroup>(_ type: Group.Type) {
        let numbers = Group.fields.map(\.number)
        #expect(numbers == Set(numbers).sorted(), "\(type)")
    }

    @Test func `of random bytes are refused, or are written so that they are read the same`() throws {
        var random = SeededRandom(seed: 1)
        for round in 0..<4000 {
            let type = APIMessages.all[round % APIMessages.all.count]
            let body = (0..<Int(random.next() % 40)).map { _ in UInt8(truncatingIfNeeded: random.next() & 0x3F) }
            guard let message = try? APIMessages.decode(RawMessage(number: type.number, body: body[...])) else {
                continue
            }
            let again = try #require(try APIMessages.decode(message.raw))
            #expect(again.raw == message.raw)
        }
    }
}
