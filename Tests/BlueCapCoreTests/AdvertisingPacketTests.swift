// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@Suite("Advertising packets", .timeLimit(.minutes(60)))
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

    @Test func `are described by the fields that are there, in the same order each time`() {
        #expect("\(PeripheralAdvertisements())" == "PeripheralAdvertisements()")
        let seen = PeripheralAdvertisements(
            localName: "AB", manufacturerData: [0xFFFF: [1, 2], 0x004C: [3]], txPower: -4, isConnectable: true,
            serviceUUIDs: ["180D", "180F"], serviceData: ["180F": [0x64], "180A": []], overflowServiceUUIDs: ["1801"],
            solicitedServiceUUIDs: ["1805"], appearance: 0x0341, flags: .generalDiscoverable,
            structures: [ADStructure(type: 0x0A, data: [0xFC])])
        #expect(
            seen.description == """
                PeripheralAdvertisements(localName: "AB", serviceUUIDs: [180D, 180F], \
                manufacturerData: [0x004C: 03, 0xFFFF: 0102], serviceData: [180A: , 180F: 64], txPower: -4, \
                appearance: 0x0341, flags: 0x02, solicitedServiceUUIDs: [1805], overflowServiceUUIDs: [1801], \
                structures: [0x0a: fc], isConnectable: true)
                """)
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

    @Test(arguments: [
        Advertisement(),
        Advertisement(localName: "AB", isDiscoverable: false),
        Advertisement(kind: .broadcast, manufacturerData: [0xFFFF: [1, 2], 0x004C: [3]]),
        Advertisement(
            localName: "Name", serviceUUIDs: ["180D", "B1EC0000-5EED-4000-B000-00805F9B34FB", "180F"],
            serviceData: ["180F": [0x64], "B1EC0000-5EED-4000-B000-00805F9B34FB": [7]],
            solicitedServiceUUIDs: ["1805"], appearance: 0x0341, includesTxPower: true, txPower: -4,
            structures: [ADStructure(type: 0x26, data: [1, 2, 3])],
            scanResponse: [ADStructure(type: 0x24, data: [4])]),
        Advertisement(
            localName: "Name", manufacturerData: [0xFFFF: Bytes(repeating: 1, count: 92)], secondaryPHY: .le2M),
    ])
    func `of an advertisement have the length that is foretold, and say what it says`(sent: Advertisement) {
        #expect(sent.packet().count == sent.packetByteCount)
        #expect(sent.scanResponsePacket.count == sent.scanResponseByteCount)
        let seen = PeripheralAdvertisements(packets: [sent.packet(), sent.scanResponsePacket])
        let isDiscoverable = sent.isDiscoverable ?? (sent.kind == .connectable)
        let flags: AdvertisingFlags = isDiscoverable ? [.generalDiscoverable, .noBREDR] : .noBREDR
        #expect(seen.flags == (sent.kind == .connectable ? flags : nil))
        #expect(seen.localName == sent.localName)
        #expect(Set(seen.serviceUUIDs) == Set(sent.serviceUUIDs))
        #expect(seen.serviceData == sent.serviceData)
        #expect(seen.manufacturerData == sent.manufacturerData)
        #expect(seen.solicitedServiceUUIDs == sent.solicitedServiceUUIDs)
        #expect(seen.appearance == sent.appearance)
        #expect(seen.txPower == (sent.includesTxPower ? sent.txPower : nil))
        #expect(seen.structures.filter { $0.type == 0x26 } == sent.structures)
        #expect(seen.structures.filter { $0.type == 0x24 } == sent.scanResponse)
    }

    @Test func `have the name in the one packet of extended advertising`() {
        let sent = Advertisement(kind: .broadcast, localName: "AB", secondaryPHY: .coded)
        #expect(sent.packet() == [3, 9, 0x41, 0x42])
        #expect(sent.scanResponsePacket.isEmpty)
    }

    @Test func `tell the power of the radio where the advertisement asks for none`() {
        let seen = PeripheralAdvertisements(packets: [Advertisement(includesTxPower: true).packet(transmitPower: 7)])
        #expect(seen.txPower == 7)
    }

    @Test func `of too much data are cut off, and do not trap`() {
        let packet = Advertisement(kind: .broadcast, manufacturerData: [0xFFFF: Bytes(repeating: 1, count: 400)])
            .packet()
        #expect(packet.count == 256)
        #expect(PeripheralAdvertisements(packets: [packet]).manufacturerData[0xFFFF]?.count == 252)
    }
}
