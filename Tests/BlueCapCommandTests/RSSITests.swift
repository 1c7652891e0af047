// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct RSSITests {
    private func lines(
        _ device: String, _ plan: RSSISession.Plan, screen: ScreenSize? = nil
    ) async throws -> RecordedOutput {
        let output = RecordedOutput(screen: screen)
        try await inTown { radio, central in
            try await RSSISession(
                finder: DeviceFinder(central: central, device: device, progress: { _ in }), plan: plan, output: output,
                clock: radio.clock
            ).run()
        }
        return output
    }

    @Test(arguments: [false, true])
    func `readings follow a device that moves away, over a link and without one`(isPassive: Bool) async throws {
        let output = try await lines("Dog Collar", RSSISession.Plan(count: 12, isPassive: isPassive))
        let readings = output.lines.compactMap { $0.firstMatch(of: /^[▁▂▄▆█·]{5} +(-\d+) dBm$/)?.1 }.compactMap {
            Int($0)
        }
        #expect(readings.count == 12, "\(output.lines)")
        let (first, last) = (readings.prefix(3).reduce(0, +), readings.suffix(3).reduce(0, +))
        #expect(first > last, "\(readings)")
    }

    @Test func `a duration ends it, and a period divides it`() async throws {
        let plan = RSSISession.Plan(duration: .seconds(3), period: .milliseconds(500), isJSON: true)
        let output = try await lines("SensorTag", plan)
        #expect(output.lines.count == 6, "\(output.lines)")
        let pattern = /\{"date":"1970[^"]*Z","event":"rssi","id":"C0:DE:00:00:00:01","index":1,"rssi":-\d+\}/
        #expect(output.lines.first?.wholeMatch(of: pattern) != nil, "\(output.lines)")
    }

    @Test func `on a screen it is a curve`() async throws {
        let size = ScreenSize(columns: 60, rows: 10)
        let output = try await lines("SensorTag", RSSISession.Plan(count: 5), screen: size)
        #expect(output.lines.isEmpty && output.drawings.count == 5)
        #expect(output.drawings.last?[1].hasPrefix("signal  -") == true)
    }

    @Test(arguments: [
        (["Tag", "--count", "0"], "--count"),
        (["Tag", "--every", "0"], "--every"),
    ])
    func `what cannot be is refused`(arguments: [String], text: String) async {
        await expectRefusal(of: arguments, by: RSSICommand.self, saying: text)
    }
}
