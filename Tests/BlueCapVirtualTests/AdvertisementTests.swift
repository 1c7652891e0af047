// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("A virtual peripheral that advertises as a manager does", .timeLimit(.minutes(60)))
struct AdvertisementTests {
    @Test func `has the fields of the advertisement, and its name in the scan response`() {
        let advertising = VirtualAdvertising(
            Advertisement(
                localName: "Bike", serviceUUIDs: ["1826"], serviceData: ["1826": [1, 0x20, 0]],
                interval: .milliseconds(50)...(.milliseconds(80))))
        #expect(advertising.interval == .milliseconds(50))
        #expect(advertising.isConnectable)
        #expect(advertising.data.serviceUUIDs == ["1826"])
        #expect(advertising.data.serviceData == ["1826": [1, 0x20, 0]])
        #expect(advertising.data.flags == [.generalDiscoverable, .noBREDR])
        #expect(advertising.data.localName == nil)
        #expect(advertising.scanResponse?.localName == "Bike")
    }

    @Test func `a broadcast invites no connections`() {
        let advertising = VirtualAdvertising(Advertisement(kind: .broadcast, serviceUUIDs: ["1826"]))
        #expect(!advertising.isConnectable)
        #expect(advertising.data.flags == nil)
        #expect(advertising.scanResponse == nil)
    }

    @Test func `in extended advertising has its name in the one packet`() {
        let advertising = VirtualAdvertising(Advertisement(localName: "Bike", secondaryPHY: .le2M))
        #expect(advertising.data.localName == "Bike")
        #expect(advertising.scanResponse == nil)
        #expect(advertising.secondaryPHY == .le2M)
    }

    @Test(arguments: [(nil, 27), (.coded, 247)] as [(SecondaryPHY?, Int)])
    func `has the room of its kind of advertising`(_ phy: SecondaryPHY?, _ count: Int) async throws {
        try await VirtualRadio.run { radio in
            let backend = radio.peripheral()
            func excess(_ count: Int) -> Int? {
                backend.excessByteCount(
                    of: Advertisement(
                        kind: .broadcast, manufacturerData: [0xFFFF: Bytes(repeating: 1, count: count)],
                        secondaryPHY: phy))
            }
            #expect(excess(count) == nil)
            #expect(excess(count + 1) == 1)
        }
    }

    @Test func `is sighted with the fields and the name of the advertisement`() async throws {
        try await VirtualRadio.run { radio in
            let advertisement = Advertisement(
                localName: "Bike", serviceUUIDs: ["1826"], serviceData: ["1826": [1, 0x20, 0]])
            radio.add(VirtualPeripheral(name: "Peer", advertising: VirtualAdvertising(advertisement)))
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let found = try await central.firstDiscovery(for: ["1826"])
            #expect(found.peripheral.name == "Bike")
            #expect(found.advertisements.localName == "Bike")
            #expect(found.advertisements.serviceUUIDs == ["1826"])
            #expect(found.advertisements.serviceData == ["1826": [1, 0x20, 0]])
        }
    }
}
