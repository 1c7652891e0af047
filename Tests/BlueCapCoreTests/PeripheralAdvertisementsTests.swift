// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@Suite("Peripheral advertisements", .timeLimit(.minutes(5)))
struct PeripheralAdvertisementsTests {
    private static let changes: [@Sendable (inout PeripheralAdvertisements) -> Void] = [
        { $0.localName = "Tag" }, { $0.manufacturerData[0xFFFF] = [1] }, { $0.txPower = -4 },
        { $0.isConnectable = true }, { $0.serviceUUIDs.append("180D") }, { $0.serviceData["180F"] = [100] },
        { $0.overflowServiceUUIDs.append("180D") }, { $0.solicitedServiceUUIDs.append("180D") },
        { $0.appearance = 0x0341 }, { $0.flags = .generalDiscoverable },
        { $0.structures.append(ADStructure(type: 1, data: [6])) },
    ]

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
