// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import Foundation
import Testing

@testable import BlueCapCommand

/// Twins that are large, or whose advertisement has more than one packet.
@Suite(.timeLimit(.minutes(60)))
struct EmulateTwinTests {
    /// A packet of 31 bytes, and a scan response.
    private static func charger(_ structure: ADStructure, txPower: Int?) -> Twin {
        Twin(
            name: "Charger",
            advertisement: TwinAdvertisement(
                data: PeripheralAdvertisements(
                    manufacturerData: [0x015A: Bytes((0..<20).map { UInt8($0) })], serviceUUIDs: ["FFE0"],
                    flags: [.generalDiscoverable, .noBREDR]),
                scanResponse: PeripheralAdvertisements(localName: "Charger", txPower: txPower, structures: [structure])),
            services: [
                TwinService("180F", characteristics: [TwinCharacteristic("2A19", properties: .read, value: [90])])
            ])
    }

    private static let interval = ADStructure(type: 0x12, data: [0x50, 0, 0x20, 3])

    @Test(arguments: [
        (charger(interval, txPower: 0), true), (charger(ADStructure(type: 0x24, data: [0x17]), txPower: nil), true),
        // As a file may have it that no device can send.
        (charger(ADStructure(type: 0x24, data: Bytes(repeating: 7, count: 60)), txPower: 4), false),
    ])
    func `a device of which each packet fits is emulated, and what does not is named`(twin: Twin, fits: Bool)
        async throws
    {
        let output = RecordedOutput()
        try await VirtualRadio.run { radio in
            try await EmulateTwinSession.run(
                on: radio, plan: .init(twin: twin, duration: .seconds(3), isJSON: true), output: output)
        }
        let line = try #require(output.lines.first { $0.contains(#""event":"advertising""#) })
        #expect(line.contains(#""leftOut":["URI"]"#) == !fits, "\(line)")
        #expect(line.contains(#""name":"Charger""#) && line.contains(#""shortServices":["FFE0"]"#), "\(line)")
        #expect(output.lines.contains { $0.contains(#""event":"read""#) && $0.contains(#""role":"central""#) })
    }

    @Test func `a central of the demonstration takes its time with a device of 200 services`() async throws {
        let services = (0..<200).map { (number: Int) -> TwinService in
            let uuids = (0xF000 + number, 0xE000 + number)
            let value: Bytes = [UInt8(number)]
            let characteristic = TwinCharacteristic(
                BluetoothUUID(UInt16(uuids.1)), properties: .read, value: value)
            return TwinService(BluetoothUUID(UInt16(uuids.0)), characteristics: [characteristic])
        }
        let output = RecordedOutput()
        try await VirtualRadio.run { radio in
            try await EmulateTwinSession.run(
                on: radio,
                plan: .init(twin: Twin(name: "Large", services: services), duration: .seconds(120), isJSON: true),
                output: output)
        }
        let read = output.lines.filter { $0.contains(#""event":"read""#) && $0.contains(#""role":"central""#) }
        #expect(read.count == 200)
        #expect(output.lines.last?.contains("stopped") == true)
    }

    #if os(Linux) && BlueZ
    @Test(arguments: [
        // BlueZ refuses some types at once, and others only when it is asked.
        (charger(interval, txPower: 0), "transmit power, Peripheral Connection Interval Range"),
        (charger(ADStructure(type: 0x24, data: [0x17]), txPower: nil), "URI"),
    ])
    func `over BlueZ the packet stays as it was, and what was in the scan response is left out and named`(
        twin: Twin, leftOut: String
    ) async throws {
        let machine = try await ScriptedMachine()
        let file = try TemporaryFile(twin.json.utf8)
        let terminal = try PseudoTerminal(
            ["emulate", file.path, "--duration", "600"], columns: 200, environment: machine.environment)
        try await terminal.wait(for: "Advertising as Charger, without what finds no room: \(leftOut)")
        terminal.send(SIGTERM)
        #expect(try await terminal.end() == 128 + SIGTERM)
        await machine.stop()
    }
    #endif
}
