// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapBeacon

@Suite("A beacon's frame with bytes behind it", .timeLimit(.minutes(60)))
struct FrameTailTests {
    static let tails: [[UInt8]] = [[0x4E], [0], [0x64, 0x0B, 0xB8], Array(repeating: 0xFF, count: 12)]
    static let uuid: BluetoothUUID = "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70"
    static let iBeacon = IBeacon(proximityUUID: uuid, major: 1, minor: 7, measuredPower: -59)
    static let altBeacon = AltBeacon(company: 0x0118, identifier: uuid, major: 2, minor: 3, measuredPower: -60)
    static let namespace = Bytes(Array(0..<10)), instance = Bytes(Array(10..<16))
    static let eddystones: [Eddystone] = [
        .uid(power: -10, namespace: namespace, instance: instance), .ephemeral(power: -3, identifier: Bytes(1...8)),
        .telemetry(
            EddystoneTelemetry(batteryVoltage: 3000, rawTemperature: 0x1580, advertisingCount: 1, uptime: 10)),
    ]

    private static func ranged(_ advertisements: PeripheralAdvertisements, _ region: BeaconRegion?) -> [UInt16] {
        RangedFrame.frames(in: advertisements, of: region).map(\.minor)
    }

    @Test(arguments: tails)
    func `is an iBeacon, whose length ends behind the power`(tail: [UInt8]) {
        let data = PeripheralAdvertisements(
            manufacturerData: [IBeacon.company: SerDe.serialize(Self.iBeacon) + Bytes(tail)])
        #expect(IBeacon(data) == Self.iBeacon)
        let region = BeaconRegion(proximityUUID: Self.uuid, identifier: "shop")
        #expect(Self.ranged(data, region) == [7])
        #expect(Self.ranged(data, nil) == [7])
    }

    @Test(arguments: tails)
    func `is an AltBeacon`(tail: [UInt8]) {
        let data = PeripheralAdvertisements(
            manufacturerData: [0x0118: SerDe.serialize(Self.altBeacon) + Bytes(tail)])
        #expect(AltBeacon(data) == Self.altBeacon)
        #expect(Self.ranged(data, nil) == [3])
    }

    @Test(arguments: eddystones, tails)
    func `is an Eddystone of its kind`(frame: Eddystone, tail: [UInt8]) {
        let data = PeripheralAdvertisements(serviceData: [Eddystone.uuid: SerDe.serialize(frame) + Bytes(tail)])
        #expect(Eddystone(data) == frame)
    }

    @Test(arguments: [17, 18, 19, 24, 60, 240])
    func `is a URL to the end of its data, however long`(count: Int) throws {
        let letters = (0..<count - 1).map { UInt8(0x61 + $0 % 26) }
        // EE: −18 dBm; 03: https://; 08 at the end: .org
        let data = Bytes([0x10, 0xEE, 0x03] + letters + [0x08])
        guard case .url(let power, let url) = try SerDe.deserialize(data, as: Eddystone.self) else {
            Issue.record("no URL")
            return
        }
        #expect(power == -18)
        #expect(url.text == "https://" + String(decoding: letters, as: UTF8.self) + ".org")
        #expect(SerDe.serialize(Eddystone.url(power: power, url)) == data)
    }
}
