// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime
import Foundation
import Testing

@testable import BlueCapCapture
@testable import BlueCapCommand

/// Values in the JSON of all commands: texts, numbers and units by the names of their parts.
@Suite(.timeLimit(.minutes(60)))
struct ValueJSONTests {
    private static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }

    private static func expect(
        _ object: [String: Any], _ part: String, _ text: String, _ number: Double?, _ unit: String?
    ) {
        #expect((object["fields"] as? [String: String])?[part] == text, "\(object)")
        #expect((object["numbers"] as? [String: Double])?[part] == number, "\(object)")
        #expect((object["units"] as? [String: String])?[part] == unit, "\(object)")
    }

    /// A value, and one of its parts.
    struct Sample: Sendable, CustomTestStringConvertible {
        var uuid: BluetoothUUID
        var bytes: Bytes
        var part: String
        var text: String
        var number: Double?
        var unit: String?
        var testDescription: String { "\(uuid) \(bytes)" }
    }

    static let samples: [Sample] = [
        Sample(uuid: "2A19", bytes: [97], part: "Battery Level", text: "97", number: 97, unit: "%"),
        Sample(uuid: "2A6E", bytes: [0, 0x80], part: "Temperature", text: "unknown", unit: "°C"),
        Sample(uuid: "2BE4", bytes: [0xFE], part: "Noise", text: "254 or more", number: 254, unit: "dB"),
        Sample(uuid: "2A9D", bytes: [0, 0xB0, 0x36], part: "weight", text: "70.000", number: 70, unit: "kg"),
        Sample(uuid: "2A9D", bytes: [1, 0xB0, 0x36], part: "weight", text: "140.00", number: 140, unit: "lb"),
        Sample(uuid: "2A1C", bytes: [0, 0xFF, 0xFF, 0x7F, 0], part: "temperature", text: "NaN", unit: "°C"),
        Sample(
            uuid: "2A35", bytes: [1, 0xA0, 0xF0, 0, 0, 0, 0], part: "systolic", text: "16.0", number: 16, unit: "kPa"),
        Sample(
            uuid: "2ACD", bytes: [0x20, 0, 0x64, 0, 0x96, 0], part: "pace", text: "150 s/500 m", number: 150,
            unit: "s/500 m"),
        // Hexadecimal digits and texts are no numbers, even if they look like one.
        Sample(uuid: "2A5A", bytes: [0x10], part: "Aggregate", text: "10"),
        Sample(uuid: "2A26", bytes: Bytes("1.0".utf8), part: "Firmware Revision String", text: "1.0"),
    ]

    private static func characteristic(_ profile: CharacteristicProfile, _ value: Bytes) -> MutableCharacteristic {
        let characteristic = MutableCharacteristic(profile: profile)
        characteristic.value = value
        return characteristic
    }

    @Test(arguments: samples)
    func `a value that passed in a capture has texts, numbers and units`(_ sample: Sample) throws {
        let access = CapturedAccess(
            time: nil, device: "C0:DE:00:00:00:01", handle: 3, uuid: sample.uuid, kind: .notified, value: sample.bytes)
        let object = try Self.object(JSONLine.text(CapturedValueEvent(access)))
        Self.expect(object, sample.part, sample.text, sample.number, sample.unit)
    }

    @Test(arguments: samples)
    func `an attribute of a device has texts, numbers and units`(_ sample: Sample) throws {
        var report = AttributeReport(sample.uuid, nil, AttributeID(handle: 7))
        report.take(.success(sample.bytes), of: sample.uuid, in: nil)
        Self.expect(try Self.object(JSONLine.text(report)), sample.part, sample.text, sample.number, sample.unit)
    }

    @Test(arguments: samples)
    func `a value of an emulated device that is set or read has texts, numbers and units`(_ sample: Sample) throws {
        let profile = KnownProfiles.profile(sample.uuid, in: nil) ?? CharacteristicProfile(uuid: sample.uuid)
        let characteristic = Self.characteristic(profile, sample.bytes)
        let output = RecordedOutput()
        let report = AccessReport(isJSON: true, output: output)
        try report.set(characteristic)
        try report.read(characteristic, by: nil)
        for line in output.lines {
            Self.expect(try Self.object(line), sample.part, sample.text, sample.number, sample.unit)
        }
        #expect(output.lines.count == 2)
    }

    @Test func `a value that is written to an emulated device has texts, numbers and units, also one that is refused`()
        async throws
    {
        let output = RecordedOutput()
        try await VirtualRadio.run(seed: 1) { radio in
            let manager = PeripheralManager(backend: radio.peripheral(), configuration: .tool(clock: radio.clock))
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            var plan = EmulateServicesSession.Plan(services: ["User Data"], duration: .seconds(30))
            plan.isJSON = true
            let session = EmulateServicesSession(
                manager: manager, plan: plan, output: output, clock: radio.clock, edits: AsyncStream { $0.finish() })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await session.run() }
                try await central.requireRadio()
                let peripheral = try await central.firstDiscovery(timeout: .seconds(10)).peripheral
                try await peripheral.connect(timeout: .seconds(5))
                try await peripheral.discover(timeout: .seconds(5))
                let weight = try peripheral.characteristic("2A98")
                try await weight.write([0xB0, 0x36])
                await #expect(throws: CharacteristicError.att(.valueNotAllowed)) { try await weight.write([0x41]) }
                await peripheral.disconnect()
                group.cancelAll()
            }
            await central.invalidate()
        }
        let events = try output.lines.map(Self.object)
        let written = try #require(events.first { $0["event"] as? String == "write" }, "\(output.lines)")
        Self.expect(written, "Weight", "70.000", 70, "kg")
        let refused = try #require(events.first { $0["event"] as? String == "writeRefused" })
        #expect(refused["value"] as? String == "41" && refused["text"] == nil && refused["fields"] == nil)
    }

    // MARK: Refused values

    @Test(
        arguments: [
            ("2A19", "65"), ("2A19", "6162"), ("2A6E", "41"), ("2A6E", "414243"), ("2A9D", "4142"), ("2A37", "41"),
            ("2A1C", "00414243"), ("2A2B", "4142434445464748494a"), ("2A06", "41"),
        ] as [(BluetoothUUID, String)])
    func `a value that its profile refuses is not shown as the letters that its bytes would be`(
        uuid: BluetoothUUID, hex: String
    ) throws {
        let bytes = try Bytes(hex: hex)
        let read = ValueText(bytes, of: uuid)
        #expect(read.isRefused && read.line == nil && read.parts.isEmpty)
        let access = CapturedAccess(
            time: nil, device: "C0:DE:00:00:00:01", handle: 3, uuid: uuid, kind: .read, value: bytes)
        let event = CapturedValueEvent(access)
        #expect(event.text == nil && event.line.hasSuffix("  not a valid value  \(hex)"))
        let object = try Self.object(JSONLine.text(event))
        #expect(object["text"] == nil && object["fields"] == nil && object["numbers"] == nil && object["units"] == nil)
        let name = KnownProfiles.characteristic(uuid, in: nil)
        let characteristic = Self.characteristic(CharacteristicProfile(uuid: uuid, name: name), bytes)
        let output = RecordedOutput()
        try AccessReport(isJSON: false, output: output).set(characteristic)
        #expect(output.lines == ["Set \(name): not a valid value  \(hex)"])
    }

    @Test func `bytes without a profile are text where they are one, and no bytes are nothing`() throws {
        #expect(ValueText(Bytes("Hello".utf8), of: "FFF1").line == "Hello")
        let empty = ValueText([], of: "2A19")
        #expect(empty.line == nil && !empty.isRefused)
    }
}
