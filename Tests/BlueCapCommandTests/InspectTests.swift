// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct InspectTests {
    /// The output of a scan with inspections in a town with more devices.
    private func scan(
        _ plan: ScanSession.Plan, with devices: [VirtualPeripheral] = [], screen: ScreenSize? = nil
    ) async throws -> RecordedOutput {
        let output = RecordedOutput(screen: screen)
        try await inTown { radio, central in
            for device in devices { radio.add(device) }
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            for device in devices { #expect(device.connectionCount == 0) }
        }
        return output
    }

    @Test func `each device that takes connections is inspected once, and its services are named`() async throws {
        let plan = ScanSession.Plan(duration: .seconds(20), inspection: Inspector.Plan())
        let lines = try await scan(plan).lines.filter { $0.hasPrefix("inspected") }
        #expect(Set(lines.compactMap { $0.split(separator: "  ").dropFirst().first }).count == 4, "\(lines)")
        #expect(lines.count == 4)
        #expect(
            lines.contains(
                "inspected   C0:DE:00:00:00:02  Heart Strap  3 services, 6 characteristics: "
                    + "Heart Rate, Battery, Device Information"), "\(lines)")
    }

    @Test func `the limit ends the scan, and inspections are brought to their end`() async throws {
        let plan = ScanSession.Plan(limit: 2, inspection: Inspector.Plan(), isJSON: true)
        let lines = try await scan(plan).lines
        #expect(lines.filter { $0.contains(#""event":"discovered""#) }.count == 2)
        #expect(lines.filter { $0.contains(#""event":"inspected""#) }.count == 2, "\(lines)")
        #expect(lines.first?.contains(#","state":"found""#) == true, "\(lines)")
    }

    @Test func `an output that takes nothing more ends a scan whose limit is reached`() async throws {
        try await inTown { radio, central in
            let session = ScanSession(
                central: central, plan: ScanSession.Plan(limit: 1, inspection: Inspector.Plan()),
                output: RecordedOutput(limit: 2), clock: radio.clock)
            await #expect(throws: OutputClosed.self) { try await session.run() }
        }
    }

    @Test func `a limit without inspections ends the scan with what was found`() async throws {
        let lines = try await scan(ScanSession.Plan(limit: 3)).lines
        #expect(lines.count { $0.hasPrefix("discovered") } == 3)
    }

    @Test(arguments: [(true, "3 lost links"), (false, "3 timeouts")])
    func `a device that does not answer is tried so often, and given up with what went wrong`(
        refuses: Bool, reason: String
    ) async throws {
        let lock = VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20") { VirtualService("1234") }
        let inspection = Inspector.Plan(timeout: .seconds(2), maximumTimeouts: 2, maximumDisconnections: 2)
        let plan = ScanSession.Plan(
            options: ScanOptions(namePrefix: "Lock"), duration: .seconds(60), inspection: inspection)
        let output = RecordedOutput()
        try await inTown { radio, central in
            radio.add(lock)
            if refuses { lock.refuseConnections() } else { lock.mute() }
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
        }
        let steps = output.lines.filter { $0.contains("C0:DE:00:00:00:20  Lock  ") }
        #expect(steps.last == "gave up     C0:DE:00:00:00:20  Lock  gave up: \(reason)", "\(steps)")
        #expect(steps.count { $0.hasPrefix("inspecting") } == 3)
    }

    @Test func `so many are connected to at the same time, and no more`() async throws {
        let devices = (0..<6).map { number in
            VirtualPeripheral(name: "Bulb \(number)", address: "C0:DE:00:00:00:2\(number)") { VirtualService("1234") }
        }
        let plan = ScanSession.Plan(
            options: ScanOptions(namePrefix: "Bulb"), limit: 6, inspection: Inspector.Plan(connections: 3))
        let lines = try await scan(plan, with: devices).lines
        var (open, most) = (0, 0)
        for line in lines {
            if line.hasPrefix("inspecting") { open += 1 }
            if line.hasPrefix("inspected") { open -= 1 }
            most = max(most, open)
        }
        #expect(most == 3 && open == 0, "\(lines)")
    }

    @Test func `on a screen the row of a device says how far it is`() async throws {
        let size = ScreenSize(columns: 120, rows: 12)
        let plan = ScanSession.Plan(duration: .seconds(20), inspection: Inspector.Plan())
        let output = try await scan(plan, screen: size)
        let rows = output.drawings.compactMap { $0.first { $0.contains("C0:DE:00:00:00:01") } }
        #expect(rows.contains { $0.hasSuffix("connecting") })
        // The state's column changes without a packet.
        #expect(rows.first?.contains("  C0:DE:00:00:00:01  found  ") == true, "\(rows.prefix(1))")
        #expect(rows.contains { $0.contains("  C0:DE:00:00:00:01  connect") }, "\(rows)")
        #expect(rows.last?.contains("  C0:DE:00:00:00:01  known  ") == true, "\(rows.suffix(1))")
        #expect(rows.last?.hasSuffix("1 service, 3 characteristics: TI Accelerometer") == true, "\(rows.suffix(1))")
    }

    @Test(arguments: [
        (["--limit", "0"], "--limit"),
        (["--inspect", "--connections", "33"], "--connections"),
        (["--connections", "2"], "--connections"),
        (["--inspect", "--retries=-1"], "--retries"),
    ])
    func `what cannot be is refused`(arguments: [String], text: String) async {
        await expectRefusal(of: arguments, by: ScanCommand.self, saying: text)
    }
}
