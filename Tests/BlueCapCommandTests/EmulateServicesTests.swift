// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct EmulateServicesTests {
    /// The lines that an emulation with a visitor prints, with lines that the user types.
    private func lines(_ plan: EmulateServicesSession.Plan, typed: [String] = []) async throws -> [String] {
        let output = RecordedOutput()
        let edits = AsyncStream<String> { continuation in
            for line in typed { continuation.yield(line) }
            continuation.finish()
        }
        try await VirtualRadio.run(seed: 1) { radio in
            try await EmulateServicesSession.run(on: radio, plan: plan, output: output, edits: edits)
        }
        return output.lines
    }

    private func plan(_ services: [String], _ change: (inout EmulateServicesSession.Plan) throws -> Void = { _ in })
        rethrows
        -> EmulateServicesSession.Plan
    {
        var plan = EmulateServicesSession.Plan(services: services, duration: .seconds(8))
        try change(&plan)
        return plan
    }

    @Test func `services by name and UUID are offered, and a central reads them and is notified`() async throws {
        let lines = try await lines(plan(["heart rate", "180F"]))
        #expect(lines.contains("peripheral  Offering Heart Rate: 3 characteristics"), "\(lines)")
        #expect(lines.contains("peripheral  Advertising as BlueCap with Heart Rate, Battery"))
        #expect(lines.contains("central     read Body Sensor Location: Chest  01"))
        let beats = lines.compactMap { $0.firstMatch(of: /was sent Heart Rate Measurement: .*heartRate (\d+) bpm/)?.1 }
        #expect(beats.count == 6 && Set(beats).count > 3, "\(lines)")
        #expect(lines.contains { $0.contains(" subscribed to Battery Level") })
        #expect(lines.last == "peripheral  Took services and advertisement back")
    }

    @Test func `a value that is set while it moves stays as it was set, and that is said`() async throws {
        let (output, progress) = (RecordedOutput(), Locked<[String]>([]))
        let lines = AsyncStream { $0.yield("battery level=7") }
        try await VirtualRadio.run(seed: 1) { radio in
            let manager = PeripheralManager(
                backend: radio.peripheral(configuration: VirtualAdapter.Configuration(name: "Lamp")),
                configuration: .tool(clock: radio.clock))
            var session = EmulateServicesSession(
                manager: manager,
                plan: plan(["Battery"]) { $0.moves = [MoveArgument("2A19", ValueGenerator(.ramp, 90, 30))] },
                output: output, clock: radio.clock, edits: lines)
            session.progress = { text in progress.withLock { $0.append(text) } }
            let before = session
            let values = Locked<[Bytes?]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await before.run() }
                try await radio.clock.sleep(for: .seconds(6))
                values.withLock { $0 = manager.services.flatMap(\.characteristics).map(\.value) }
                try await group.waitForAll()
            }
            #expect(values.withLock { $0.first } == [7])
        }
        #expect(output.lines.contains("Set Battery Level: 7 %"), "\(output.lines)")
        #expect(progress.withLock { $0 } == ["Battery Level stays so: what is set does not move any more"])
    }

    private static let services = KnownProfiles.manager.services.filter { !$0.characteristics.isEmpty }.map(\.name)

    @Test(arguments: services)
    func `every service of the library can be emulated and read`(name: String) async throws {
        let lines = try await lines(plan([name]) { $0.duration = .seconds(3) })
        #expect(lines.contains { $0.hasPrefix("peripheral  Offering \(name): ") }, "\(lines)")
        #expect(lines.last == "peripheral  Took services and advertisement back")
    }

    @Test func `a value that is set stays as it is`() async throws {
        let plan = try plan(["Battery"]) { $0.values = [try #require(SetArgument(argument: "battery level=20"))] }
        let lines = try await lines(plan)
        #expect(lines.contains("central     read Battery Level: 20 %  14"), "\(lines)")
        #expect(!lines.contains { $0.contains("was sent") })
    }

    @Test func `a value that is moved moves as it is told`() async throws {
        let lines = try await lines(
            plan(["Battery"]) { $0.moves = [MoveArgument("2A19", ValueGenerator(.ramp, 60, 0))] })
        let levels = lines.compactMap { $0.firstMatch(of: /was sent Battery Level: (\d+) %/)?.1 }.compactMap {
            Int($0)
        }
        #expect(levels.count > 4 && levels == levels.sorted(by: >), "\(lines)")
    }

    @Test func `a line that is typed sets a value, which is notified, and one that makes no sense changes nothing`()
        async throws
    {
        let typed = ["", "nonsense", "no such=1", "battery level=42"]
        let lines = try await lines(plan(["Battery"]) { $0.isStill = true }, typed: typed)
        #expect(lines.contains("peripheral  Set Battery Level: 42 %"), "\(lines)")
        #expect(lines.contains("central     read Battery Level: 42 %  2a"))
    }

    @Test func `events in JSON have names and values`() async throws {
        let lines = try await lines(plan(["Battery"]) { ($0.isJSON, $0.name) = (true, "Lamp") })
        #expect(
            lines.contains(
                #"{"event":"advertising","name":"Lamp","role":"peripheral","services":["0000180f-0000-1000-8000-00805f9b34fb"],"shortServices":["180F"]}"#
            ))
        let reads = lines.filter { $0.contains(#""event":"read""#) && $0.contains(#""name":"Battery Level""#) }
        #expect(reads.contains { $0.contains(#""role":"peripheral""#) && $0.contains(" %") }, "\(reads)")
        #expect(reads.contains { $0.contains(#""role":"central""#) && $0.contains(" %") }, "\(reads)")
        #expect(lines.allSatisfy { $0.contains(#""role":"#) }, "\(lines)")
    }

    @Test func `writes are shown, kept where they mean something, and refused where they do not`() async throws {
        let output = RecordedOutput()
        try await VirtualRadio.run(seed: 1) { radio in
            let manager = PeripheralManager(
                backend: radio.peripheral(), configuration: .tool(clock: radio.clock))
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            let session = EmulateServicesSession(
                manager: manager, plan: plan(["TI Accelerometer"]) { $0.duration = .seconds(30) }, output: output,
                clock: radio.clock, edits: AsyncStream { $0.finish() })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await session.run() }
                try await central.requireRadio()
                let peripheral = try await central.firstDiscovery(timeout: .seconds(10)).peripheral
                try await peripheral.connect(timeout: .seconds(5))
                try await peripheral.discover(timeout: .seconds(5))
                let uuid = TISensorTag.AccelerometerService.Enabled.uuid
                let enabled = try #require(
                    peripheral.services.flatMap(\.characteristics).first { $0.uuid == uuid })
                try await enabled.write([1])
                await #expect(throws: CharacteristicError.att(.valueNotAllowed)) { try await enabled.write([9]) }
                await #expect(throws: CharacteristicError.att(.invalidAttributeValueLength)) {
                    try await enabled.write([])
                }
                #expect(try await enabled.read() == [1])
                await peripheral.disconnect()
                group.cancelAll()
            }
            await central.invalidate()
        }
        #expect(output.lines.contains { $0.hasSuffix(" wrote Accelerometer Enabled: Yes") }, "\(output.lines)")
        #expect(output.lines.contains { $0.contains(" wrote Accelerometer Enabled: ") && $0.contains(", refused: ") })
    }

    @Test(arguments: [("21.5", "21.50"), ("0x0866", "261.20"), ("1e02", "5.42")])
    func `a decimal number is set where the first value has none, and other digits are bytes`(
        text: String, shown: String
    ) async throws {
        let plan = try plan(["Environmental Sensing"]) { plan in
            plan.values = [try #require(SetArgument(argument: "temperature=" + text))]
            plan.isStill = true
        }
        let lines = try await lines(plan)
        #expect(lines.contains { $0.hasSuffix(" read Temperature: \(shown) °C") }, "\(lines)")
    }

    @Test(arguments: [
        (["Heart"], [], [], "did you mean 'Heart Rate'?"), (["Nonsense"], [], [], "'bluecap profiles'"),
        (["Battery"], ["level=1"], [], "Battery/Battery Level"), (["Battery"], ["2A19=much"], [], "Battery Level"),
        (["Battery"], [], ["2A19=wave:0..300"], "Battery Level cannot be 300: it takes 0 to 100 %"),
        (
            ["Battery"], ["2A19=200"], [],
            "'200' is no value of Battery Level; write a number, 'Battery Level=…' (Battery Level: 0 to 100 %), or hexadecimal digits"
        ),
        (["Battery"], [], ["2A19.volts=wave:0..1"], "'Battery Level'"),
    ])
    func `what cannot be is refused before anything is offered, with what can`(
        services: [String], values: [String], moves: [String], advice: String
    ) async throws {
        let plan = try plan(services) { plan in
            plan.values = try values.map { try #require(SetArgument(argument: $0)) }
            plan.moves = try moves.map { try #require(MoveArgument(argument: $0)) }
        }
        let error = await #expect(throws: CommandFailure.self) { try await lines(plan) }
        #expect(error?.status == .usage)
        #expect(error?.message.contains(advice) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ["lamp.json", "Battery"], ["lamp.json", "--set", "2A19=1"], ["Battery", "--repeat"], [],
        ["lamp.json", "--still"],
        ["Battery", "--name", "a name that is much longer than a packet has room for"],
    ])
    func `a command line that contradicts itself is refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try EmulateDeviceCommand.parse(arguments) }
    }

    @Test(arguments: [("lamp.json", true), ("./lamp", true), ("-", true), ("Battery", false), ("180F", false)])
    func `a file is told from a service`(text: String, isFile: Bool) throws {
        #expect((try EmulateDeviceCommand.parse([text]).file != nil) == isFile)
    }
}
