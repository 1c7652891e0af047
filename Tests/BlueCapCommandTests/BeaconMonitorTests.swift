// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct BeaconMonitorTests {
    private static let uuid: BluetoothUUID = "B9407F30-F5F8-466E-AFF9-25556B57FE6D"

    /// The lines that monitoring the virtual beacons prints.
    private func lines(_ plan: BeaconMonitorSession.Plan) async throws -> [String] {
        let output = RecordedOutput()
        try await VirtualRadio.run(seed: 1) { radio in
            let beacons = try FileWorld(radio: radio, WorldFile(shipped: ShippedWorlds.beacons(of: Self.uuid)))
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await beacons.run() }
                defer { group.cancelAll() }
                try await BeaconMonitorSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            }
            await central.invalidate()
        }
        return output.lines
    }

    @Test func `a region whose beacon goes and returns is entered, left and entered again`() async throws {
        let region = NamedRegion(name: "visitor", uuid: Self.uuid, major: 1, minor: 3)
        let lines = try await lines(
            BeaconMonitorSession.Plan(regions: [region], exitDelay: .seconds(5), duration: .seconds(45)))
        let words = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(words == ["monitoring", "inside", "outside", "inside"])
        #expect(lines.last == "inside      visitor  b9407f30-f5f8-466e-aff9-25556b57fe6d, major 1, minor 3")
    }

    @Test func `a signal strength is written as it is, with its minus`() throws {
        #expect(try BeaconMonitorCommand.parse(["--entry-rssi", "-70"]).entryRssi == -70)
    }

    @Test func `several regions are monitored at once, each by its name`() async throws {
        let regions = [
            NamedRegion(name: "all", uuid: Self.uuid), NamedRegion(name: "near", uuid: Self.uuid, major: 1, minor: 1),
        ]
        let lines = try await lines(
            BeaconMonitorSession.Plan(regions: regions, duration: .seconds(5), isJSON: true))
        #expect(lines.count == 4)
        for name in ["all", "near"] {
            #expect(lines.contains { $0.contains(#""region":"\#(name)","state":"inside""#) }, "\(lines)")
        }
    }

    @Test func `a weak beacon does not enter a region that asks for a strong one, and the end is 75`() async throws {
        let region = NamedRegion(name: "visitor", uuid: Self.uuid, major: 1, minor: 3)
        let plan = BeaconMonitorSession.Plan(regions: [region], entryRSSI: -50, duration: .seconds(9))
        let error = await #expect(throws: CommandFailure.self) { try await lines(plan) }
        #expect(error?.status == .tryAgain)
    }

    @Test func `without a name the regions of the settings are monitored, or that of the command line`() throws {
        var settings = Settings()
        let texts = ["office=\(Self.uuid.fullDescription)/1", "door=\(Self.uuid.fullDescription)/1/7"]
        try settings.set(.beaconRegions, to: texts)
        #expect(try BeaconMonitorCommand.parse([]).regions(settings).map(\.text) == texts)
        #expect(try BeaconMonitorCommand.parse(["Door"]).regions(settings).map(\.text) == [texts[1]])
        let own = try BeaconMonitorCommand.parse(["--major", "9"]).regions(settings)
        #expect(own.map(\.major) == [9] && own.map(\.uuid) == [BeaconCommand.defaultUUID])
        #expect(throws: CommandFailure.self) { try BeaconMonitorCommand.parse(["roof"]).regions(settings) }
    }

    @Test(arguments: [
        (["--minor", "1"], "say which with --major"),
        (["office", "--major", "1"], "leave out --uuid and --major"),
    ])
    func `what cannot be is refused`(arguments: [String], text: String) async {
        await expectRefusal(of: arguments, by: BeaconMonitorCommand.self, saying: text)
    }
}
