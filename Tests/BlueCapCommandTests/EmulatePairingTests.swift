// SPDX-License-Identifier: MIT

import BlueCap
import Testing

@testable import BlueCapCommand

/// Emulated devices that show a passkey.
@Suite(.timeLimit(.minutes(60)))
struct EmulatePairingTests {
    private static let lock = Twin(
        name: "Lock",
        services: [
            TwinService(
                "FFF0",
                characteristics: [
                    TwinCharacteristic("FFF1", properties: .read, value: [0x2A], readSecurity: .authenticated)
                ])
        ])

    private func lines(_ plan: EmulateTwinSession.Plan) async throws -> [String] {
        let output = RecordedOutput()
        try await VirtualRadio.run(seed: 1) { radio in
            try await EmulateTwinSession.run(on: radio, plan: plan, output: output)
        }
        return output.lines
    }

    @Test func `a twin with a passkey is read by a central where it is typed`() async throws {
        let lines = try await lines(.init(twin: Self.lock, duration: .seconds(8), showsPasskey: true))
        #expect(lines.contains { $0.contains(/^peripheral +Type this at [0-9A-F:]{17}: \d{6}$/) }, "\(lines)")
        #expect(lines.contains("central     read FFF1: *  2a"), "\(lines)")
    }

    @Test func `without one its value is not there`() async throws {
        let lines = try await lines(.init(twin: Self.lock, duration: .seconds(8)))
        #expect(!lines.contains { $0.contains("Type this") || $0.contains("read FFF1") }, "\(lines)")
    }

    @Test func `the digits are in the event, with the central`() async throws {
        let lines = try await lines(.init(twin: Self.lock, duration: .seconds(8), showsPasskey: true, isJSON: true))
        let events = lines.filter { $0.contains(#""event":"passkey""#) }
        #expect(events.count == 1 && events[0].contains(/"passkey":"\d{6}"/), "\(lines)")
        #expect(events[0].contains(/"central":"[0-9A-F:]{17}"/))
    }

    @Test func `services of the library show one, too`() async throws {
        let output = RecordedOutput()
        let plan = EmulateServicesSession.Plan(services: ["Battery"], duration: .seconds(8), showsPasskey: true)
        try await VirtualRadio.run(seed: 1) { radio in
            try await EmulateServicesSession.run(
                on: radio, plan: plan, output: output, edits: AsyncStream { $0.finish() })
        }
        #expect(output.lines.contains { $0.contains("Type this at ") }, "\(output.lines)")
        #expect(output.lines.contains { $0.contains("read Battery Level") })
    }

    @Test func `a central that cannot type is refused, and that is said`() async throws {
        let output = RecordedOutput()
        try await VirtualRadio.run(seed: 1) { radio in
            let manager = PeripheralManager(backend: radio.peripheral(), configuration: .tool(clock: radio.clock))
            let central = CentralManager(
                backend: radio.central(address: "00:00:5E:00:54:01"), configuration: .tool(clock: radio.clock))
            let session = EmulateTwinSession(
                manager: manager, plan: .init(twin: Self.lock, showsPasskey: true), output: output, clock: radio.clock)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await session.run() }
                defer { group.cancelAll() }
                try await central.requireRadio()
                let lock = try await central.firstDiscovery(timeout: .seconds(10)).peripheral
                let requests = central.pairingRequests(capability: .noInputNoOutput)
                try await lock.connect(timeout: .seconds(10))
                await #expect(throws: PeripheralError.self) { try await lock.pair() }
                #expect(!lock.isBonded)
                withExtendedLifetime(requests) {}
            }
            await central.invalidate()
            await manager.invalidate()
        }
        #expect(output.lines.contains { $0.hasPrefix("Refused to pair with ") }, "\(output.lines)")
    }
}
