// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@Suite("Advertising packets", .timeLimit(.minutes(5)))
struct AdvertisingPacketTests {
    @Test func `are read field by field, advertisement and scan response together`() throws {
        let seen = PeripheralAdvertisements(packets: [
            // Flags 06; 180D and 180F; tx power −4; appearance 0341.
            try Bytes(hex: "02010605030d180f18020afc03194103"),
            // Name "AB"; manufacturer FFFF, 01 02; service data 180F, 64; solicited 1805.
            try Bytes(hex: "0309414205ffffff010204160f186403140518"),
        ])
        #expect(seen.flags == [.generalDiscoverable, .noBREDR])
        #expect(seen.serviceUUIDs == ["180D", "180F"])
        #expect(seen.txPower == -4)
        #expect(seen.appearance == 0x0341)
        #expect(seen.localName == "AB")
        #expect(seen.manufacturerData == [0xFFFF: [1, 2]])
        #expect(seen.serviceData == ["180F": [0x64]])
        #expect(seen.solicitedServiceUUIDs == ["1805"])
        #expect(seen.structures.count == 8)
    }

    @Test(arguments: 0..<16)
    func `that are cut off are read as far as they go`(count: Int) throws {
        let packet = try Bytes(hex: "02010605030d180f18020afc03194103")
        let seen = PeripheralAdvertisements(packets: [Bytes(packet.prefix(count))])
        let ends: [Int] = [3, 9, 12]
        let whole: Int = ends.count { $0 <= count }
        #expect(seen.structures.count == whole)
        #expect(seen.appearance == nil)
    }

    @Test(arguments: ["020a", "01ff", "02ff01", "0216aa", "02190a", "0107"])
    func `with data of a wrong size keep them as structures only`(hex: String) throws {
        let seen = PeripheralAdvertisements(packets: [try Bytes(hex: hex)])
        #expect(seen.manufacturerData.isEmpty)
        #expect(seen.serviceData.isEmpty)
        #expect(seen.serviceUUIDs.isEmpty)
        #expect(seen.appearance == nil)
    }
}
