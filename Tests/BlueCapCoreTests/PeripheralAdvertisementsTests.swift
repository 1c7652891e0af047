// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@Suite("Peripheral advertisements", .timeLimit(.minutes(60)))
struct PeripheralAdvertisementsTests {
    private static let changes: [@Sendable (inout PeripheralAdvertisements) -> Void] = [
        { $0.localName = "Tag" }, { $0.manufacturerData[0xFFFF] = [1] }, { $0.txPower = -4 },
        { $0.isConnectable = true }, { $0.serviceUUIDs.append("180D") }, { $0.serviceData["180F"] = [100] },
        { $0.overflowServiceUUIDs.append("180D") }, { $0.solicitedServiceUUIDs.append("180D") },
        { $0.appearance = 0x0341 }, { $0.flags = .generalDiscoverable },
        { $0.structures.append(ADStructure(type: 1, data: [6])) },
    ]

    @Test func `an empty local name is none, however it comes`() {
        #expect(PeripheralAdvertisements(localName: "").localName == nil)
        var advertisements = PeripheralAdvertisements(localName: "Lamp")
        advertisements.localName = ""
        #expect(advertisements.localName == nil)
    }

    @Test(
        arguments: [
            [[1, 9]], [[1, 8]], [[5, 9, 0x4C, 0x61, 0x6D, 0x70, 1, 9]], [[5, 8, 0x4C, 0x61, 0x6D, 0x70], [1, 9]],
        ]
            as [[Bytes]])
    func `an empty name in a packet is none, and one that came before stays`(packets: [Bytes]) {
        let name = PeripheralAdvertisements(packets: packets).localName
        #expect(name == (packets[0].count > 2 ? "Lamp" : nil))
    }

    @Test func `a change of a copy leaves the original as it was, whichever the field`() {
        let original = PeripheralAdvertisements()
        var copies: Set = [original]
        for change in Self.changes {
            var copy = original
            change(&copy)
            #expect(copy != original)
            #expect(original == PeripheralAdvertisements())
            var again = original
            change(&again)
            #expect(again == copy)
            #expect(again.hashValue == copy.hashValue)
            copies.insert(copy)
        }
        #expect(copies.count == Self.changes.count + 1)
    }
}
