// SPDX-License-Identifier: MIT

import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct ScanLimitTests {
    private static let count = 2100

    /// Scans in the air of more devices than a table usually keeps, until so many were found.
    private func scan(limit: Int, inspection: Inspector.Plan? = nil, screen: ScreenSize? = nil) async throws
        -> RecordedOutput
    {
        let output = RecordedOutput(screen: screen)
        try await VirtualRadio.run(seed: 1) { radio in
            for index in 0..<Self.count {
                let digits = String(index, radix: 16, uppercase: true)
                let number = String(repeating: "0", count: 4 - digits.count) + digits
                radio.add(
                    VirtualPeripheral(
                        name: "Tag", address: "C0:DE:01:00:\(number.prefix(2)):\(number.suffix(2))"))
            }
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            // The duration is for a scan that does not end by its limit.
            let plan = ScanSession.Plan(
                options: ScanOptions(lostAfter: nil), duration: .seconds(120), limit: limit, inspection: inspection)
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            #expect(radio.clock.elapsed < .seconds(100))
            await central.invalidate()
        }
        return output
    }

    @Test func `a scan ends with its limit where that is more than a table usually keeps`() async throws {
        let lines = try await scan(limit: Self.count).lines
        #expect(lines.count { $0.hasPrefix("discovered") } == Self.count)
    }

    @Test func `the table counts as many devices as the limit`() async throws {
        let drawings = try await scan(limit: Self.count, screen: ScreenSize(columns: 80, rows: 24)).drawings
        #expect(drawings.last?.first?.contains("\(Self.count) devices") == true, "\(drawings.last?.first ?? "")")
    }
}
