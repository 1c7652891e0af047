// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct BeaconTests {
    private static let uuid: BluetoothUUID = "B9407F30-F5F8-466E-AFF9-25556B57FE6D"

    @Test func `both commands mean the same family when none is given`() throws {
        let advertise = try BeaconAdvertiseCommand.parse([]).plan(Settings())
        #expect(try BeaconRangeCommand.parse([]).plan(Settings()).uuid == advertise.uuid)
        #expect(advertise.major == 0 && advertise.minor == 0 && advertise.power == -59)
    }

    @Test func `the numbers of a beacon are taken as given`() throws {
        let plan = try BeaconAdvertiseCommand.parse(
            [
                "--uuid", Self.uuid.fullDescription, "--major", "65535", "--minor", "1", "--power=-128", "--duration",
                "1",
            ]
        ).plan(Settings())
        #expect(plan.uuid == Self.uuid)
        #expect(plan.major == 65535 && plan.minor == 1 && plan.power == -128 && plan.duration == .seconds(1))
    }

    @Test(arguments: [
        (["--major", "65536"], "--major"),
        (["--minor", "-1"], "--minor"),
        (["--power=200"], "--power"),
        (["--secondary-phy", "3M"], "--secondary-phy"),
        (["--uuid", "180F"], "--uuid"),
        (["--uuid", "xyz"], "--uuid"),
    ])
    func `numbers that a beacon has no room for and short UUIDs are refused`(arguments: [String], text: String) async {
        await expectRefusal(of: arguments, by: BeaconAdvertiseCommand.self, saying: text)
    }

    @Test func `what is not given is as the settings say, and what is given wins`() throws {
        var settings = Settings()
        try settings.set(.beaconUUID, to: [Self.uuid.fullDescription])
        try settings.set(.beaconMajor, to: ["3"])
        try settings.set(.beaconPower, to: ["-70"])
        let plan = try BeaconAdvertiseCommand.parse(["--major", "4"]).plan(settings)
        #expect(plan.uuid == Self.uuid && plan.major == 4 && plan.minor == 0 && plan.power == -70)
        #expect(try BeaconRangeCommand.parse([]).plan(settings).uuid == Self.uuid)
    }

    @Test func `a region of the settings is ranged by its name`() throws {
        var settings = Settings()
        try settings.set(.beaconRegions, to: ["door=\(Self.uuid.fullDescription)/1/7"])
        let plan = try BeaconRangeCommand.parse(["--region", "Door"]).plan(settings)
        #expect(plan.uuid == Self.uuid && plan.major == 1 && plan.minor == 7)
        let error = #expect(throws: CommandFailure.self) {
            try BeaconRangeCommand.parse(["--region", "roof"]).plan(settings)
        }
        #expect(error?.status == .usage && error?.message.contains("'door'") == true)
    }

    @Test func `a UUID that is made up is another each time, and of version 4`() throws {
        let uuids = try (0..<8).map { _ in
            try BeaconAdvertiseCommand.parse(["--generate"]).plan(Settings()).uuid.fullDescription
        }
        #expect(Set(uuids).count == 8)
        let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(uuids.allSatisfy { $0.wholeMatch(of: form) != nil }, "\(uuids)")
    }

    @Test(arguments: [
        (["--family", "altbeacon", "--major", "1", "--minor", "7"], "AltBeacon 1/7 7c0e8a36-"),
        (["--family", "eddystone-uid", "--major", "1", "--minor", "7"], "Eddystone 7c0e8a361f3d5e2b9c70/000000010007"),
        (["--family", "eddystone-url", "--url", "https://example.com"], "Eddystone https://example.com"),
        (["--family", "altbeacon", "--minor", "7", "--secondary-phy", "coded"], "AltBeacon 0/7 7c0e8a36-"),
    ])
    func `a beacon of another family is advertised, and a central reads its frame`(
        arguments: [String], frame: String
    ) async throws {
        let output = RecordedOutput()
        try await VirtualRadio.run(seed: 1) { radio in
            let command = try BeaconAdvertiseCommand.parse(arguments + ["--duration", "3"])
            try await BeaconAdvertiseSession.run(on: radio, plan: command.plan(Settings()), output: output)
        }
        #expect(
            output.lines.contains { $0.hasPrefix("central     discovered") && $0.contains(frame) }, "\(output.lines)")
        #expect(output.lines.last == "peripheral  Took the advertisement back")
    }

    @Test(arguments: [
        (["--family", "eddystone-url"], "--url"),
        (["--url", "https://example.com"], "--family"),
        (["--generate", "--uuid", uuid.fullDescription], "--generate"),
        (["--family", "eddystone-url", "--url", "gopher://example.com"], "gopher"),
    ])
    func `frames that contradict themselves are refused`(arguments: [String], text: String) async {
        await expectRefusal(of: arguments, by: BeaconAdvertiseCommand.self, saying: text)
    }

    @Test func `a beacon without its group is refused with what to add`() {
        let error = #expect(throws: (any Error).self) { try BeaconRangeCommand.parse(["--minor", "1"]) }
        #expect(error.map { BeaconRangeCommand.message(for: $0).contains("--major") } == true)
    }

    @Test func `an advertised beacon is ranged by a central on the same radio, and is taken back`() async throws {
        let output = RecordedOutput()
        try await VirtualRadio.run(seed: 1) { radio in
            let plan = BeaconAdvertiseSession.Plan(
                uuid: Self.uuid, major: 1, minor: 7, power: -62, duration: .seconds(10), isJSON: true)
            try await BeaconAdvertiseSession.run(on: radio, plan: plan, output: output)
        }
        #expect(
            output.lines.first
                == #"{"data":"0215b9407f30f5f8466eaff925556b57fe6d00010007c2","event":"advertising","family":"ibeacon","major":1,"minor":7,"power":-62,"uuid":"b9407f30-f5f8-466e-aff9-25556b57fe6d"}"#
        )
        #expect(
            output.lines.contains {
                $0.contains(#""major":1,"minor":7,"power":-62,"proximity":""#) && $0.contains(#""distance":"#)
            })
        #expect(output.lines.last == #"{"event":"stopped"}"#)
    }

    /// The lines of ranging the virtual beacons for so long.
    private func range(
        _ duration: Duration, uuid: BluetoothUUID = Self.uuid, minor: UInt16? = nil, isAll: Bool = false,
        isJSON: Bool = false,
        output: RecordedOutput = RecordedOutput()
    ) async throws -> [String] {
        try await VirtualRadio.run(seed: 1) { radio in
            let world = try FileWorld(radio: radio, WorldFile(shipped: ShippedWorlds.beacons(of: Self.uuid)))
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            let plan = BeaconRangeSession.Plan(
                uuid: uuid, major: minor == nil ? nil : 1, minor: minor, isAll: isAll, duration: duration,
                isJSON: isJSON)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await world.run() }
                defer { group.cancelAll() }
                try await BeaconRangeSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            }
            await central.invalidate()
        }
        return output.lines
    }

    @Test func `ranging shows every beacon, with the one that is carried at many distances`() async throws {
        let lines = try await range(.seconds(20))
        let minors = Set(lines.compactMap { $0.split(separator: " ").dropLast().last })
        #expect(minors == ["1", "2", "3"])
        #expect(Set(lines.filter { $0.hasSuffix("B2") }.compactMap { $0.split(separator: " ").first }).count > 4)
        #expect(lines.contains { $0.contains("immediate") })
        #expect(lines.contains { $0.contains("far") })
    }

    @Test func `one beacon is ranged alone when asked for`() async throws {
        let lines = try await range(.seconds(5), minor: 3)
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.hasSuffix("C0:DE:00:00:00:B3") })
    }

    @Test func `a list in JSON has its beacons nearest first`() async throws {
        let lines = try await range(.seconds(5), isJSON: true)
        let line = try #require(lines.last)
        #expect(line.hasPrefix(#"{"beacons":[{"distance":"#))
        #expect(line.contains(#""event":"beacons""#))
        #expect(line.contains(#""id":"C0:DE:00:00:00:B1","major":1,"minor":1,"power":-59,"proximity":"immediate""#))
    }

    @Test func `beacons of all families are ranged at once, each with what tells it apart in its own`() async throws {
        let lines = try await range(.seconds(5), isAll: true)
        let uuid = Self.uuid.fullDescription
        let found = Set(lines.map { $0.split(separator: " ").suffix(4).joined(separator: " ") })
        #expect(found.contains("C0:DE:00:00:00:B1 iBeacon 1/1 \(uuid)"), "\(found)")
        #expect(found.contains("C0:DE:00:00:00:B4 AltBeacon 1/4 \(uuid)"), "\(found)")
        let eddystone = "C0:DE:00:00:00:B5 Eddystone b9407f30f5f8466eaff9/000000000005"
        #expect(found.contains { $0.hasSuffix(eddystone) }, "\(found)")
    }

    @Test func `in JSON each of all families has its family and numbers`() async throws {
        let line = try #require(try await range(.seconds(5), isAll: true, isJSON: true).last)
        let uuid = Self.uuid.fullDescription
        #expect(line.contains(#""family":"ibeacon","id":"C0:DE:00:00:00:B1","major":1,"minor":1,"#))
        #expect(line.contains(#""family":"altbeacon","id":"C0:DE:00:00:00:B4","major":1,"minor":4,"#))
        #expect(
            line.contains(
                #""family":"eddystone-uid","id":"C0:DE:00:00:00:B5","instance":"000000000005","#
                    + #""namespace":"b9407f30f5f8466eaff9","power":-59,"#))
        #expect(line.contains(#""uuid":"\#(uuid)""#) && line.hasSuffix(#"Z","event":"beacons"}"#), "\(line)")
    }

    @Test(arguments: [["--uuid", uuid.fullDescription], ["--major", "1"], ["--region", "door"]])
    func `all families and one of them contradict each other`(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try BeaconRangeCommand.parse(["--all"] + arguments) }
        #expect(error.map { BeaconRangeCommand.message(for: $0).contains("--all means every beacon") } == true)
    }

    @Test func `on a screen a table is drawn within its size`() async throws {
        let output = RecordedOutput(screen: ScreenSize(columns: 40, rows: 6))
        _ = try await range(.seconds(5), output: output)
        #expect(output.drawings.count == 6)
        #expect(output.drawings.allSatisfy { $0.count <= 6 })
        #expect(output.drawings.joined().allSatisfy { TextLayout.width(of: $0) <= 40 })
    }

    @Test func `no beacon of the family within the duration ends with 75 and says what to try`() async throws {
        do {
            _ = try await range(.seconds(3), uuid: BeaconCommand.defaultUUID)
            Issue.record("it ended without an error")
        } catch {
            let failure = CommandFailure(error)
            #expect(failure.status == .tryAgain)
            #expect(failure.message.contains("--uuid") && failure.message.contains("'bluecap beacon range --all'"))
        }
    }
}
