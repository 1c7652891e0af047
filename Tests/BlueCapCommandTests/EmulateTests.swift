// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct EmulateTests {
    typealias Accelerometer = TISensorTag.AccelerometerService

    // MARK: The command line

    @Test func `without options it is a SensorTag until Ctrl-C, on the platform's radio`() throws {
        let command = try EmulateSensorTagCommand.parse([])
        #expect(command.plan.name == "SensorTag")
        #expect(command.plan.duration == nil)
        #expect(command.radio.backend == nil)
        #expect(!command.plan.isJSON)
    }

    @Test func `name, duration and samples are taken as given`() throws {
        let command = try EmulateSensorTagCommand.parse(
            ["--backend", "virtual", "--name", "Mine", "--duration", "2.5", "--samples", "7", "--json"])
        #expect(command.plan.name == "Mine")
        #expect(command.plan.duration == .milliseconds(2500))
        #expect(command.plan.samples == 7)
        #expect(command.plan.isJSON)
    }

    @Test(arguments: [([], 40), (["--duration", "3"], nil)])
    func `a virtual run ends after 40 samples unless it has a duration`(arguments: [String], samples: Int?) throws {
        #expect(try EmulateSensorTagCommand.parse(["--backend", "virtual"] + arguments).plan.samples == samples)
    }

    @Test(arguments: [
        (["--name", ""], "29 bytes"), (["--name", String(repeating: "n", count: 30)], "29 bytes"),
        (["--samples", "3"], "--backend virtual"), (["--backend", "virtual", "--samples", "0"], "at least 1"),
        (["--backend", "virtual", "--adapter", "hci0"], "--adapter"),
    ])
    func `what cannot be done is refused, with what to do instead`(arguments: [String], advice: String) {
        let error = #expect(throws: (any Error).self) { try EmulateSensorTagCommand.parse(arguments) }
        #expect(error.map { EmulateSensorTagCommand.message(for: $0).contains(advice) } == true)
    }

    // MARK: Both ends on one radio

    @Test func `a virtual run goes from offering to its samples and takes everything back`() async throws {
        let output = RecordedOutput()
        try await VirtualRadio.run(seed: 1) { radio in
            let plan = EmulateSession.Plan(samples: 10, isJSON: true)
            try await EmulateSession.run(on: radio, plan: plan, output: output)
        }
        let events = output.lines.map(Self.event)
        #expect(events.filter { $0 == "serviceAdded" }.count == 9)
        #expect(events.filter { $0 == "sample" }.count == 10)
        #expect(events.firstIndex(of: "advertising") ?? .max < events.firstIndex(of: "discovered") ?? 0)
        #expect(events.contains("subscribed"))
        #expect(events.contains("unsubscribed"))
        #expect(events.filter { $0 == "write" }.count == 3)
        #expect(events.last == "stopped")
        #expect(output.lines.allSatisfy { $0.contains(#""role":"#) })
        let samples = output.lines.filter { $0.contains(#""event":"sample""#) }.map { $0.dropFirst(28) }
        #expect(Set(samples).count > 8)
    }

    @Test func `a virtual run with a duration ends when it is over`() async throws {
        let output = RecordedOutput()
        let elapsed = try await VirtualRadio.run(seed: 1) { radio in
            let plan = EmulateSession.Plan(duration: .seconds(20))
            try await EmulateSession.run(on: radio, plan: plan, output: output)
            return radio.clock.elapsed
        }
        #expect(elapsed >= .seconds(20))
        #expect(output.lines.contains("peripheral  Took services and advertisement back"))
        #expect(output.lines.contains { $0.hasPrefix("central ") && $0.contains(" g  ") })
    }

    @Test func `no line is wider than 80 columns, and one characteristic is told in the singular`() async throws {
        let output = RecordedOutput()
        try await VirtualRadio.run(seed: 1) { radio in
            try await EmulateSession.run(on: radio, plan: EmulateSession.Plan(samples: 3), output: output)
        }
        #expect(output.lines.allSatisfy { TextLayout.width(of: $0) <= 80 }, "\(output.lines)")
        #expect(output.lines.contains { $0.hasSuffix(": 1 characteristic") })
        #expect(!output.lines.contains { $0.hasSuffix(": 1 characteristics") })
    }

    @Test func `a reader that goes away ends it without an error of its own`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            _ = await #expect(throws: OutputClosed.self) {
                try await EmulateSession.run(
                    on: radio, plan: EmulateSession.Plan(samples: 10), output: RecordedOutput(limit: 5))
            }
        }
    }

    // MARK: The firmware

    /// Runs `body` with a central that is connected to an emulated SensorTag and has discovered it.
    private func withTag(
        _ body: @escaping @Sendable (Peripheral, VirtualRadio, RecordedOutput) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let output = RecordedOutput()
            let session = EmulateSession(
                manager: PeripheralManager(
                    backend: radio.peripheral(), configuration: .tool(clock: radio.clock)),
                plan: EmulateSession.Plan(isJSON: true), output: output, clock: radio.clock)
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            try await central.whenPoweredOn()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await session.run() }
                let found = try await central.firstDiscovery(for: [Accelerometer.uuid], timeout: .seconds(10))
                try await found.peripheral.connect(timeout: .seconds(5))
                try await found.peripheral.discover(timeout: .seconds(5))
                try await body(found.peripheral, radio, output)
                await central.invalidate()
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    @Test
    func `every characteristic of the profiles is there, and those that can be read have their first values`()
        async throws
    {
        try await withTag { peripheral, _, _ in
            let profiles = TISensorTagProfiles.services + [TISensorTagProfiles.deviceInformation]
            for service in profiles {
                for profile in service.characteristics {
                    let found = peripheral.services.flatMap { $0.characteristics(withUUID: profile.uuid) }
                    let characteristic = try #require(found.first, "\(profile.name)")
                    #expect(characteristic.properties == profile.properties, "\(profile.name)")
                    guard profile.propertyEnabled(.read) else { continue }
                    let value: Bytes = try await characteristic.read(timeout: .seconds(2))
                    #expect(value == profile.initialValue, "\(profile.name)")
                }
            }
        }
    }

    @Test(
        arguments: [
            ([], .invalidAttributeValueLength), ([1, 1], .invalidAttributeValueLength), ([2], .valueNotAllowed),
        ] as [(Bytes, ATTError)])
    func `a write is refused for a wrong length, and for a value that means nothing`(value: Bytes, error: ATTError)
        async throws
    {
        try await withTag { peripheral, _, output in
            let enabled = try #require(Self.characteristic(Accelerometer.Enabled.uuid, of: peripheral))
            await #expect(throws: CharacteristicError.att(error)) {
                try await enabled.write(value, timeout: .seconds(2))
            }
            #expect(try await enabled.read(timeout: .seconds(2)) == [0] as Bytes)
            #expect(output.lines.contains { Self.event($0) == "writeRefused" })
        }
    }

    @Test(
        arguments: [
            (0xAA11, 0xAA12, 1), (0xAA31, 0xAA32, 1), (0xAA51, 0xAA52, 7), (0xAA01, 0xAA02, 1), (0xAA41, 0xAA42, 1),
            (0xAA21, 0xAA22, 1),
        ] as [(UInt16, UInt16, UInt8)])
    func `every sensor sends changing samples once it is switched on, and none after it is switched off`(
        data: UInt16, enabled: UInt16, on: UInt8
    ) async throws {
        try await withTag { peripheral, radio, _ in
            let data = try #require(Self.characteristic(Self.uuid(data), of: peripheral))
            let enabled = try #require(Self.characteristic(Self.uuid(enabled), of: peripheral))
            let notifications = try await data.notifications(timeout: .seconds(2))
            var values = notifications.makeAsyncIterator()
            try await enabled.write([on], timeout: .seconds(2))
            var received: [Bytes] = []
            while received.count < 5, let value = try await values.next() { received.append(value) }
            #expect(Set(received).count >= 4)
            #expect(received.allSatisfy { $0.count == received[0].count })
            try await enabled.write([0], timeout: .seconds(2))
            let last: Bytes = try await data.read(timeout: .seconds(2))
            try await radio.clock.sleep(for: .seconds(10))
            #expect(try await data.read(timeout: .seconds(2)) == last)
        }
    }

    @Test func `samples come at the period that was written, from then on`() async throws {
        try await withTag { peripheral, radio, _ in
            let data = try #require(Self.characteristic(Accelerometer.Data.uuid, of: peripheral))
            let enabled = try #require(Self.characteristic(Accelerometer.Enabled.uuid, of: peripheral))
            let period = try #require(Self.characteristic(Accelerometer.UpdatePeriod.uuid, of: peripheral))
            var values = try await data.notifications(timeout: .seconds(2)).makeAsyncIterator()
            try await enabled.write([1], timeout: .seconds(2))
            _ = try await values.next()
            try await period.write([5], timeout: .seconds(2))
            let start = radio.clock.elapsed
            for _ in 0..<100 { _ = try await values.next() }
            #expect((.milliseconds(4900)...(.milliseconds(5300))).contains(radio.clock.elapsed - start))
        }
    }

    private static func uuid(_ number: UInt16) -> BluetoothUUID {
        let digits = String(number, radix: 16)
        return (try? BluetoothUUID(text: "f000\(digits)-0451-4000-b000-000000000000")) ?? "0000"
    }

    private static func characteristic(_ uuid: BluetoothUUID, of peripheral: Peripheral) -> Characteristic? {
        peripheral.services.flatMap { $0.characteristics(withUUID: uuid) }.first
    }

    private static func event(_ line: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
        return (object as? [String: Any])?["event"] as? String
    }
}
