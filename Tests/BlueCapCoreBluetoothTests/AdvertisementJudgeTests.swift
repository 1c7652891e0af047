// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCoreBluetooth

struct AdvertisementJudgeTests {
    private let long: BluetoothUUID = "F0000000-0451-4000-B000-000000000000"
    private let other: BluetoothUUID = "F0000001-0451-4000-B000-000000000000"

    @Test func `H1: a name and services are sent`() {
        let advertisement = Advertisement(localName: "lamp", serviceUUIDs: ["180F"], isDiscoverable: true)
        #expect(AdvertisementJudge.unsupportedOption(of: advertisement) == nil)
        #expect(AdvertisementJudge.excessByteCount(of: advertisement) == nil)
    }

    @Test(arguments: [
        (Advertisement(manufacturerData: [0x004C: [2, 0x15]]), AdvertisingOption.manufacturerData),
        (Advertisement(serviceData: ["180F": [1]]), .serviceData),
        (Advertisement(solicitedServiceUUIDs: ["180F"]), .solicitedServiceUUIDs),
        (Advertisement(appearance: 1), .appearance), (Advertisement(includesTxPower: true), .includesTxPower),
        (Advertisement(structures: [ADStructure(type: 0x24, data: [1])]), .structures),
        (Advertisement(scanResponse: [ADStructure(type: 0x24, data: [1])]), .scanResponse),
        (Advertisement(kind: .broadcast), .broadcast), (Advertisement(isDiscoverable: false), .isDiscoverable),
        (Advertisement(interval: .milliseconds(100)...(.milliseconds(100))), .interval),
        (Advertisement(txPower: 4), .txPower), (Advertisement(localName: "lamp", secondaryPHY: .le1M), .secondaryPHY),
    ])
    func `H1, H7: everything else is refused by its option`(_ advertisement: Advertisement, _ option: AdvertisingOption)
    {
        #expect(AdvertisementJudge.unsupportedOption(of: advertisement) == option)
    }

    @Test func `H2: a name has the room that the services leave, or ten bytes in the scan response`() {
        #expect(excess(name: 28) == nil)
        #expect(excess(name: 29) == 1)
        #expect(excess(name: 12, services: [long]) == nil)
        #expect(excess(name: 13, services: [long]) == 1)
        #expect(excess(name: 10, services: [long, "180F", "180D", "1810", "1811", "1812", "1813"]) == nil)
        #expect(excess(name: 11, services: [long, "180F", "180D", "1810", "1811", "1812", "1813"]) == 1)
    }

    @Test func `services that would go to the overflow area are too long`() {
        #expect(excess(services: [long, other]) == 4)
        #expect(excess(name: 12, services: [long, other]) == 6)
    }

    private func excess(name: Int = 0, services: [BluetoothUUID] = []) -> Int? {
        AdvertisementJudge.excessByteCount(
            of: Advertisement(localName: String(repeating: "n", count: name), serviceUUIDs: services))
    }
}
