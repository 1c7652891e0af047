// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@Suite("A name in an advertisement", .timeLimit(.minutes(60)))
struct AdvertisedNameTests {
    private func structure(_ type: UInt8, _ text: [UInt8]) -> Bytes { Bytes([UInt8(text.count + 1), type] + text) }

    // As BlueZ takes it (src/eir.c, name2utf8): to the first zero, without white space around it.
    @Test(
        arguments: [
            ("Lamp 7", "Lamp 7"), ("Lamp 7\0", "Lamp 7"), ("Lamp 7\0\0\0", "Lamp 7"), ("Lamp 7\0x", "Lamp 7"),
            ("  Lamp 7 ", "Lamp 7"), ("Lamp 7 \r\n\0", "Lamp 7"), ("Lämp\0", "Lämp"), ("", nil), ("\0\0", nil),
            (" \t", nil),
        ] as [(String, String?)], [0x08, 0x09] as [UInt8])
    func `ends with its first zero, and is none when nothing is left`(
        _ given: (sent: String, name: String?), type: UInt8
    ) {
        #expect(PeripheralAdvertisements(packets: [structure(type, Array(given.sent.utf8))]).localName == given.name)
        #expect(PeripheralAdvertisements(localName: given.sent).localName == given.name)
        var changed = PeripheralAdvertisements()
        changed.localName = given.sent
        #expect(changed.localName == given.name)
    }

    @Test func `without a letter takes no name away`() {
        let packet = structure(0x09, Array("Lamp".utf8)) + structure(0x09, [0]) + structure(0x08, [])
        #expect(PeripheralAdvertisements(packets: [packet]).localName == "Lamp")
    }

    @Test func `that is shortened does not replace the whole one`() {
        let (short, whole) = (structure(0x08, Array("La".utf8)), structure(0x09, Array("Lamp".utf8)))
        for packets in [[short, whole], [whole, short], [short + whole], [whole + short]] {
            #expect(PeripheralAdvertisements(packets: packets).localName == "Lamp")
        }
        #expect(PeripheralAdvertisements(packets: [short]).localName == "La")
    }
}
