// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct InfoTests {
    /// The lines that `info` prints about a device of the virtual town, or one that is added to it.
    private func info(
        _ device: String, adding added: VirtualPeripheral? = nil, readsValues: Bool = true, isJSON: Bool = false
    ) async throws -> [String] {
        let output = RecordedOutput()
        try await inTown { radio, central in
            if let added { radio.add(added) }
            try await InfoSession(
                finder: DeviceFinder(central: central, device: device, timeout: .seconds(3), progress: { _ in }),
                readsValues: readsValues, isJSON: isJSON, output: output
            ).run()
            await central.invalidate()
            #expect(radio.peripherals.allSatisfy { $0.connectionCount == 0 })
        }
        return output.lines
    }

    @Test func `the tree has services, characteristics with properties and values, and descriptors`() async throws {
        let lines = try await info("Heart Strap").map { $0.replacing(/0x[0-9a-f]+ */, with: "HANDLE ") }
        #expect(lines[0] == "Heart Strap (C0:DE:00:00:00:02)")
        #expect(lines[1].wholeMatch(of: /signal -\d+ dBm, MTU \d+, not paired/) != nil, "\(lines[1])")
        #expect(
            Array(lines[2..<8]) == [
                "", "Heart Rate  180D", "  HANDLE Heart Rate Measurement  2A37  notify",
                "        Client Characteristic Configuration  2902", "  HANDLE Body Sensor Location  2A38  read",
                "        Chest  01",
            ])
        #expect(lines.contains("  HANDLE Heart Rate Control Point  2A39  write"))
        #expect(lines.contains("        Strap 1  53747261702031"))
        #expect(
            Array(lines.drop { !$0.hasSuffix("2901") }.prefix(2)) == [
                "        Characteristic User Description  2901",
                "          Printed inside  5072696e74656420696e73696465",
            ])
    }

    @Test func `below the tree stand the dates of discovery and connection, the counts and the times`() async throws {
        let lines = try await info("Heart Strap").suffix(5).map {
            $0.replacing(/1970-01-01T00:00:\d\d\.\d{3}Z/, with: "DATE").replacing(/\d\.\d s/, with: "TIME")
        }
        #expect(
            lines == [
                "", "discovered DATE", "connected DATE", "1 connection, 0 timeouts, 0 disconnections",
                "connected for TIME, TIME a connection, apart for TIME",
            ])
    }

    @Test func `of a device that was connected before, the end of that and both times are shown`() async throws {
        let output = RecordedOutput()
        try await inTown { radio, central in
            let finder = DeviceFinder(central: central, device: "Heart Strap", progress: { _ in })
            let peripheral = try await finder.connect()
            await peripheral.disconnect()
            try await radio.clock.sleep(for: .seconds(5))
            try await InfoSession(finder: finder, output: output).run()
        }
        let end = output.lines.suffix(4)
        #expect(end.contains { $0.hasPrefix("disconnected 1970-01-01T") })
        #expect(end.contains("2 connections, 0 timeouts, 0 disconnections"), "\(end)")
        #expect(end.last?.firstMatch(of: /apart for [5-9]\.\d s/) != nil, "\(end)")
    }

    @Test(arguments: ["Heart Strap", "SensorTag", "Dog Collar"])
    func `no line is wider than 80 columns`(device: String) async throws {
        let lines = try await info(device)
        #expect(lines.allSatisfy { TextLayout.width(of: $0) <= 80 }, "\(lines)")
    }

    @Test func `without values none is read`() async throws {
        let lines = try await info("Heart Strap", readsValues: false)
        #expect(!lines.contains { $0.contains("Chest") })
        #expect(lines.contains { $0.hasSuffix("Body Sensor Location  2A38  read") })
    }

    @Test func `in JSON it is one object, with the parts of each value`() async throws {
        let lines = try await info("Heart Strap", isJSON: true)
        #expect(lines.count == 1)
        let line = try #require(lines.first).replacing(/0x[0-9a-f]+/, with: "H")
        #expect(line.hasPrefix(#"{"bonded":false,"discoveredAt":"1970-01-01T00:00:"#))
        #expect(line.contains(#","event":"device","id":"C0:DE:00:00:00:02","mtu":"#))
        #expect(
            line.contains(
                #"{"descriptors":[],"fields":{"Body Sensor Location":"Chest"},"handle":"H","name":"Body Sensor Location","properties":["read"],"shortUUID":"2A38","text":"Chest","uuid":"00002a38-0000-1000-8000-00805f9b34fb","value":"01"}"#
            ))
        #expect(line.contains(#""statistics":{"apart":"#))
    }

    @Test func `a value that is refused is told in its place, and the rest is read`() async throws {
        let refused = VirtualCharacteristic("2A00", value: [1])
        refused.setError(.insufficientAuthorization, for: .read)
        let device = VirtualPeripheral(name: "Grump", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") {
                refused
                VirtualCharacteristic("2A19", value: [7])
                VirtualCharacteristic("FFF1", properties: [], value: [])
                VirtualCharacteristic("FFF2", value: Bytes([UInt8](repeating: 0xAB, count: 300)))
            }
        }
        let lines = try await info("Grump", adding: device)
        #expect(lines.contains { $0.contains("the peripheral answered: ") })
        #expect(lines.contains("        7 %  07"))
        #expect(lines.contains { $0.hasSuffix("FFF1  no properties") })
        #expect(
            lines.contains { $0.hasSuffix("… (300 bytes)") && (79...80).contains(TextLayout.width(of: $0)) }, "\(lines)"
        )
    }

    @Test func `of a device that stops answering the tree is shown, with what to try`() async throws {
        let silent = VirtualCharacteristic("2A01", value: [1])
        silent.hold(.read)
        let device = VirtualPeripheral(name: "Sleeper", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") {
                VirtualCharacteristic("2A19", value: [7])
                silent
                VirtualCharacteristic("2A38", value: [1])
            }
        }
        let output = RecordedOutput()
        try await inTown { radio, central in
            radio.add(device)
            let session = InfoSession(
                finder: DeviceFinder(central: central, device: "Sleeper", timeout: .seconds(3), progress: { _ in }),
                output: output)
            let error = await #expect(throws: CommandFailure.self) { try await session.run() }
            #expect(error?.status == .tryAgain)
            #expect(error?.message.contains("--no-values") == true)
        }
        #expect(output.lines.contains("        7 %  07"))
        #expect(output.lines.contains("        no value came within the time given: try again, or raise --timeout"))
        #expect(output.lines.contains { $0.hasSuffix("Body Sensor Location  2A38  read") })
        #expect(!output.lines.contains { $0.contains("Chest") })
    }

    @Test func `a device without services says so`() async throws {
        let device = VirtualPeripheral(name: "Shell", address: "C0:DE:00:00:00:21")
        #expect(try await info("Shell", adding: device).contains("It has no services"))
    }

    @Test func `text of the device cannot command the terminal`() async throws {
        let device = VirtualPeripheral(name: "A\u{1B}[2J", address: "C0:DE:00:00:00:22")
        let lines = try await info("C0:DE:00:00:00:22", adding: device)
        #expect(lines.first == "A\u{FFFD}[2J (C0:DE:00:00:00:22)")
    }

    @Test func `arguments are taken as given`() async throws {
        let command = try await InfoCommand.asyncParse(["Strap", "--no-values", "--json", "--backend", "virtual"])
        #expect(!command.values && command.json && command.target.radio.backend == .virtual(nil))
        #expect(try await InfoCommand.asyncParse(["Strap"]).values)
    }
}
