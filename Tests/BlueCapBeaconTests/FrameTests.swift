// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe
import Testing

@Suite("Beacon frames", .timeLimit(.minutes(60)))
struct FrameTests {
    static let uuid: BluetoothUUID = "B9407F30-F5F8-466E-AFF9-25556B57FE6D"

    @Test
    func `an iBeacon advertises type, length, UUID, major and minor in the order of their text, and its power`() throws
    {
        let region = BeaconRegion(proximityUUID: Self.uuid, identifier: "shop", major: 0x0102, minor: 0x0304)
        let advertisement = region.advertisement(measuredPower: -59)
        #expect(advertisement.kind == .broadcast)
        #expect(
            advertisement.manufacturerData == [0x4C: try Bytes(hex: "0215b9407f30f5f8466eaff925556b57fe6d01020304c5")])
        // 2 for length and type, 2 for the company, 23 for the frame.
        #expect(advertisement.packetByteCount == 27)
    }

    @Test func `an iBeacon is read from what it advertises`() throws {
        let frame = IBeacon(proximityUUID: Self.uuid, major: 7, minor: 65535, measuredPower: -128)
        let seen = PeripheralAdvertisements(manufacturerData: frame.advertisement.manufacturerData)
        #expect(IBeacon(seen) == frame)
    }

    @Test(arguments: [
        "", "0215", "0115b9407f30f5f8466eaff925556b57fe6d01020304c5",
        "0214b9407f30f5f8466eaff925556b57fe6d01020304c5", "0215b9407f30f5f8466eaff925556b57fe6d01020304",
    ])
    func `manufacturer data of another type or length, or too short, is no iBeacon`(hex: String) throws {
        #expect(IBeacon(PeripheralAdvertisements(manufacturerData: [0x4C: try Bytes(hex: hex)])) == nil)
    }

    @Test func `an AltBeacon round-trips under its maker's company identifier`() {
        let frame = AltBeacon(
            company: 0x0118, identifier: Self.uuid, major: 1, minor: 2, measuredPower: -60, makerByte: 9)
        #expect(AltBeacon(PeripheralAdvertisements(manufacturerData: frame.advertisement.manufacturerData)) == frame)
        #expect(frame.advertisement.manufacturerData[0x0118]?.prefix(2).elementsEqual([0xBE, 0xAC]) == true)
    }

    @Test func `an Eddystone URL is shortened by its scheme and its host's ending`() throws {
        let url = try #require(EddystoneURL("https://www.example.com/a"))
        let bytes = SerDe.serialize(Eddystone.url(power: -20, url))
        // 10: URL; EC: −20 dBm; 01: https://www.; "example"; 00: .com/; "a".
        #expect(bytes == (try Bytes(hex: "10ec016578616d706c650061")))
        #expect(try SerDe.deserialize(bytes, as: Eddystone.self) == .url(power: -20, url))
    }

    @Test func `an Eddystone beacon does not ask to be discoverable, which a broadcast cannot be`() throws {
        let url = try #require(EddystoneURL("https://www.example.com/a"))
        let advertisement = Eddystone.url(power: -20, url).advertisement
        #expect(advertisement.kind == .broadcast)
        #expect(advertisement.isDiscoverable == nil)
    }

    @Test(arguments: ["ftp://a.b", "http://a b", "http://aaaaaaaaaaaaaaaaaaaaaa.com"])
    func `an address that does not fit or has no scheme cannot be sent`(text: String) {
        #expect(EddystoneURL(text) == nil)
    }

    @Test func `Eddystone telemetry is big-endian, its temperature in 1/256 °C`() throws {
        // 20 00: unencrypted telemetry; 0B B8: 3000 mV; 15 80: 21.5 °C; 100 frames; 1000 tenths of a second.
        let frame = try SerDe.deserialize(try Bytes(hex: "20000bb8158000000064000003e8"), as: Eddystone.self)
        let telemetry = EddystoneTelemetry(
            batteryVoltage: 3000, rawTemperature: 0x1580, advertisingCount: 100, uptime: 1000)
        #expect(frame == .telemetry(telemetry))
        #expect(telemetry.temperature == 21.5)
    }

    @Test func `telemetry has no voltage and no temperature where they are not measured`() {
        var telemetry = EddystoneTelemetry(batteryVoltage: 0, rawTemperature: .min, advertisingCount: 1, uptime: 1)
        #expect(telemetry.voltage == nil)
        #expect(telemetry.temperature == nil)
        (telemetry.batteryVoltage, telemetry.rawTemperature) = (1, 0)
        #expect(telemetry.voltage == 0.001)
        #expect(telemetry.temperature == 0)
    }

    @Test func `an Eddystone UID round-trips with its two reserved bytes`() throws {
        let frame = Eddystone.uid(power: -10, namespace: Bytes(Array(0..<10)), instance: Bytes(Array(10..<16)))
        let bytes = SerDe.serialize(frame)
        #expect(bytes.count == 20)
        #expect(Eddystone(PeripheralAdvertisements(serviceData: ["FEAA": bytes])) == frame)
    }

    @Test(arguments: 0..<64)
    func `bytes that end anywhere, or go on, never make a reader trap`(count: Int) {
        for first in [0x00, 0x02, 0x10, 0x20, 0x30, 0xBE] as [UInt8] {
            let bytes = Bytes((0..<count).map { $0 == 0 ? first : UInt8(truncatingIfNeeded: $0 &* 37) })
            let seen = PeripheralAdvertisements(manufacturerData: [0x4C: bytes], serviceData: ["FEAA": bytes])
            #expect(IBeacon(seen) == nil)
            #expect(AltBeacon(seen) == nil)
            // A UID may come without its two reserved bytes, which are always sent.
            if let frame = Eddystone(seen) { #expect(SerDe.serialize(frame).count <= max(count, 20)) }
        }
    }
}
