// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCapture
@testable import BlueCapVirtual

/// The fields of a twin's packet and of its scan response, where a platform advertises them.
@Suite(.timeLimit(.minutes(60)))
struct PlacingTests {
    private static let flags: AdvertisingFlags = [.generalDiscoverable, .noBREDR]
    private static let interval = ADStructure(type: 0x12, data: [0x50, 0, 0x20, 3])

    /// A twin of which each packet has 31 bytes at the most, and both together have more.
    private static func twin(_ data: PeripheralAdvertisements, _ response: PeripheralAdvertisements) -> Twin {
        Twin(
            advertisement: TwinAdvertisement(data: data, scanResponse: response),
            services: [TwinService("180F", characteristics: [TwinCharacteristic("2A19", properties: .read)])])
    }

    private static func pattern(_ count: Int) -> Bytes { Bytes((0..<count).map { UInt8($0) }) }

    private static let twins = [
        twin(
            PeripheralAdvertisements(manufacturerData: [0x015A: pattern(20)], serviceUUIDs: ["FFE0"], flags: flags),
            PeripheralAdvertisements(localName: "Charger", txPower: 0, structures: [interval])),
        twin(
            PeripheralAdvertisements(manufacturerData: [0x015A: pattern(24)], flags: flags),
            PeripheralAdvertisements(manufacturerData: [0x015B: pattern(27)])),
        twin(
            PeripheralAdvertisements(
                serviceUUIDs: ["F000AA10-0451-4000-B000-000000000000"], appearance: 0x0340, flags: flags),
            PeripheralAdvertisements(localName: "Strap", serviceUUIDs: ["180D"], serviceData: ["FE95": pattern(10)])),
        // The name in the packet, and no room for it beside the scan response.
        twin(
            PeripheralAdvertisements(localName: "A name of twenty-four xx", flags: flags),
            PeripheralAdvertisements(serviceData: ["181A": pattern(20)], solicitedServiceUUIDs: ["1805"])),
    ]

    /// What is heard of a device on the air: its packet, its scan response, and the fields that were left out.
    private static func heard(_ twin: Twin) async throws -> (AirAdvertisement, leftOut: PeripheralAdvertisements) {
        try await VirtualRadio.run { radio in
            let (stream, continuation) = AsyncStream.makeStream(of: AirAdvertisement.self)
            let number = radio.observe { if case .advertisement(let heard) = $0 { continuation.yield(heard) } }
            defer { radio.stopObserving(number) }
            let manager = PeripheralManager(backend: radio.peripheral(address: "00:00:5E:00:53:02"))
            try await manager.whenPoweredOn(timeout: .seconds(5))
            let leftOut = try await TwinPeripheral(twin).startAdvertising(on: manager, timeout: .seconds(5))
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(5))
            _ = try await central.firstDiscovery(timeout: .seconds(5))
            let heard = await stream.first { _ in true }
            await central.invalidate()
            return (try #require(heard), leftOut)
        }
    }

    @Test(arguments: twins)
    func `what was in each packet is heard in it`(twin: Twin) async throws {
        let (heard, leftOut) = try await Self.heard(twin)
        let advertisement = try #require(twin.advertisement)
        #expect(heard.data == advertisement.data)
        #expect(heard.scanResponse == advertisement.scanResponse)
        #expect(leftOut == PeripheralAdvertisements())
        // Its JSON has them apart, too.
        #expect(try Twin(json: twin.json.utf8).advertisement == advertisement)
    }

    @Test func `a packet that is too long loses the fields that find no room, and they are named`() async throws {
        // As extended advertising allows.
        let data = PeripheralAdvertisements(
            manufacturerData: [0x015A: Self.pattern(20), 0x015B: Self.pattern(20)], serviceUUIDs: ["FFE0"],
            flags: Self.flags)
        let (heard, leftOut) = try await Self.heard(Self.twin(data, PeripheralAdvertisements(localName: "Long")))
        var kept = data
        kept.manufacturerData[0x015B] = nil
        #expect(heard.data == kept)
        #expect(heard.scanResponse?.localName == "Long")
        #expect(leftOut == PeripheralAdvertisements(manufacturerData: [0x015B: Self.pattern(20)]))
    }

    /// A platform whose scan response has the name alone, and that refuses an AD type.
    private static func isTaken(_ advertisement: Advertisement) -> Bool {
        advertisement.packetByteCount <= 31 && advertisement.scanResponseByteCount <= 31
            && advertisement.scanResponse.isEmpty && !advertisement.structures.contains { $0.type == 0x12 }
    }

    @Test(
        arguments: zip(
            twins,
            [
                PeripheralAdvertisements(txPower: 0, structures: [interval]),
                PeripheralAdvertisements(manufacturerData: [0x015B: pattern(27)]),
                PeripheralAdvertisements(serviceData: ["FE95": pattern(10)]),
                PeripheralAdvertisements(),
            ]))
    func `where the scan response has the name alone, the packet takes what it has room for`(
        twin: Twin, leftOut: PeripheralAdvertisements
    ) {
        for usesResponse in [true, false] {
            let placing = AdvertisementPlacing(twin, usesResponse: usesResponse, where: Self.isTaken)
            #expect(placing.leftOut == leftOut)
            #expect(Self.isTaken(placing.advertisement))
            #expect(placing.advertisement.localName == twin.displayName)
        }
    }

    @Test func `a twin that advertises nothing has its name on the air`() {
        #expect(TwinPeripheral(Twin(name: "Lamp")).advertisement == Advertisement(localName: "Lamp"))
    }
}
