// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct DemoTests {
    @Test(arguments: [[], ["--backend", "virtual"]])
    func `the virtual radio, which is its only one, may be named`(arguments: [String]) throws {
        let command = try DemoCommand.parse(arguments + ["--samples", "7"])
        #expect(command.samples == 7)
    }

    @Test(arguments: ["scan", "notify"])
    func `the real radio is refused, with the commands that are for it`(command: String) throws {
        let error = try #require(throws: (any Error).self) { try DemoCommand.parse(["--backend", "bluez"]) }
        #expect(DemoCommand.message(for: error).contains("'bluecap \(command)'"))
    }

    /// The lines of a demo in simulated time, and the simulated time that it took.
    private func demo(
        seed: UInt64, _ plan: DemoSession.Plan, output: RecordedOutput = RecordedOutput()
    ) async throws -> (lines: [String], elapsed: Duration) {
        let elapsed = try await VirtualRadio.run(seed: seed) { radio in
            try await DemoSession.run(on: radio, plan: plan, output: output)
            return radio.clock.elapsed
        }
        return (output.lines, elapsed)
    }

    @Test
    func `a demo in JSON goes from power-on to disconnect with its samples between, within five seconds`() async throws
    {
        let (lines, elapsed) = try await demo(seed: 1, .init(samples: 20, isJSON: true))
        #expect(
            Array(lines.prefix(5)) == [
                #"{"event":"poweredOn"}"#,
                #"{"event":"discovered","id":"C0:DE:00:00:00:01","name":"SensorTag","rssi":-61,"services":["f000aa10-0451-4000-b000-000000000000"]}"#,
                #"{"event":"connected","id":"C0:DE:00:00:00:01"}"#,
                #"{"event":"servicesDiscovered","services":["f000aa10-0451-4000-b000-000000000000"]}"#,
                #"{"characteristic":"f000aa12-0451-4000-b000-000000000000","event":"written","value":"yes"}"#,
            ])
        #expect(lines.dropFirst(5).dropLast().filter { $0.hasPrefix(#"{"event":"sample","index":"#) }.count == 20)
        #expect(lines.last == #"{"event":"disconnected","id":"C0:DE:00:00:00:01"}"#)
        #expect(elapsed < .seconds(5))
    }

    @Test func `the same seed shows the same, another seed something else`() async throws {
        let plan = DemoSession.Plan(samples: 25, isJSON: true)
        let first = try await demo(seed: 7, plan).lines
        #expect(try await demo(seed: 7, plan).lines == first)
        #expect(try await demo(seed: 8, plan).lines != first)
    }

    @Test func `the samples change`() async throws {
        let lines = try await demo(seed: 1, .init(samples: 40)).lines
        let values = lines.filter { $0.contains(" g  ") }.map { $0.dropFirst(6) }
        #expect(values.count == 40)
        #expect(Set(values).count > 35)
    }

    @Test func `no line of a demo is wider than 80 columns`() async throws {
        let lines = try await demo(seed: 1, .init(samples: 5)).lines
        #expect(lines.contains("Found TI Accelerometer with 3 characteristics"))
        #expect(lines.allSatisfy { TextLayout.width(of: $0) <= 80 }, "\(lines)")
    }

    @Test func `on a screen every sample is drawn and nothing but the steps is printed`() async throws {
        let output = RecordedOutput(screen: ScreenSize(columns: 60, rows: 20))
        let (lines, _) = try await demo(seed: 1, .init(samples: 12), output: output)
        #expect(output.drawings.count == 12)
        #expect(lines.count == 6)
    }

    @Test func `when the reader of the output goes away the sensor is disconnected all the same`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let central = radio.adapter()
            let output = RecordedOutput(limit: 8)
            await #expect(throws: OutputClosed.self) {
                try await DemoSession.run(on: radio, plan: .init(isJSON: true), output: output)
            }
            #expect(output.lines.count == 8)
            #expect(central.state == .poweredOn)
            #expect(radio.peripherals.allSatisfy { $0.connectionCount == 0 })
        }
    }
}
