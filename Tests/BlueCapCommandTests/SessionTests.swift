// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCore
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(5)))
struct SessionTests {
    /// Runs `body` in the virtual town in simulated time.
    private func inTown(
        seed: UInt64 = 1, _ body: @escaping @Sendable (VirtualRadio, CentralManager) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: seed) { radio in
            let town = VirtualTown(radio: radio)
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await town.run() }
                defer { group.cancelAll() }
                try await body(radio, central)
            }
            await central.invalidate()
        }
    }

    private let accelerometer = TISensorTag.AccelerometerService.Data.uuid

    @Test("a scan in JSON reports who is there, who leaves and who returns")
    func scanEvents() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let plan = ScanSession.Plan(
                options: ScanOptions(lostAfter: .seconds(5)), duration: .seconds(70), isJSON: true)
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            let bracelet = output.lines.filter { $0.contains("C0:DE:00:00:00:04") }
            let events = bracelet.compactMap { $0.split(separator: #""event":""#).last?.prefix { $0 != "\"" } }
            #expect(events.first == "discovered")
            #expect(events.contains("lost"))
            #expect(
                Set(output.lines.compactMap { $0.firstRange(of: "C0:DE:00:00:00:0").map { $0.upperBound } }).count >= 1)
            for number in 1...5 { #expect(output.lines.contains { $0.contains("C0:DE:00:00:00:0\(number)") }) }
        }
    }

    @Test("a scan event holds what the beacon advertises, keys in the order of the alphabet")
    func scanEventShape() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let plan = ScanSession.Plan(duration: .seconds(2), isJSON: true)
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            let beacon = try #require(output.lines.first { $0.contains("C0:DE:00:00:00:05") })
            #expect(
                beacon.replacing(/"date":"1970-01-01T00:00:0\d\.\d{3}Z"/, with: "DATE").replacing(/-9\d/, with: "RSSI")
                    == #"{"connectable":false,DATE,"event":"discovered","id":"C0:DE:00:00:00:05","manufacturerData":{"ffff":"beac0102"},"rssi":RSSI,"services":[],"txPower":-12}"#
            )
        }
    }

    @Test("on a screen a scan draws a table that is never wider or higher than the screen")
    func scanTable() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput(screen: ScreenSize(columns: 60, rows: 6))
            let plan = ScanSession.Plan(duration: .seconds(5))
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            #expect(output.lines.isEmpty)
            #expect(output.drawings.allSatisfy { $0.count < 6 })
            #expect(output.drawings.joined().allSatisfy { TextLayout.width(of: $0) <= 60 })
            #expect(output.drawings.last?.first?.contains("5 devices") == true)
        }
    }

    @Test("a scan that sees nobody ends as timed out")
    func nobody() async throws {
        try await inTown { radio, central in
            let plan = ScanSession.Plan(services: ["1234"], duration: .seconds(3))
            let session = ScanSession(central: central, plan: plan, output: RecordedOutput(), clock: radio.clock)
            let error = await #expect(throws: CentralManagerError.self) { try await session.run() }
            #expect(error.map { CommandFailure($0).status } == .tryAgain)
        }
    }

    @Test(
        "notify finds a device by name or identifier and prints so many values",
        arguments: ["SensorTag", "c0:de:00:00:00:01"])
    func notify(name: String) async throws {
        try await inTown { [accelerometer] radio, central in
            let output = RecordedOutput()
            let plan = NotifySession.Plan(peripheral: name, characteristic: accelerometer, count: 3)
            try await NotifySession(
                central: central, plan: plan, output: output, clock: radio.clock, progress: { _ in }
            ).run()
            #expect(output.lines.count == 3)
            #expect(
                output.lines.allSatisfy {
                    $0.wholeMatch(of: /[0-9a-f]{6}  x [+-]\d\.\d\d  y [+-]\d\.\d\d  z [+-]\d\.\d\d g/) != nil
                })
        }
    }

    @Test("a value in JSON has its index, bytes, text and date")
    func notifyJSON() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let plan = NotifySession.Plan(
                peripheral: "Heart Strap", characteristic: BatteryService.Level.uuid, count: 1, isJSON: true)
            try await NotifySession(
                central: central, plan: plan, output: output, clock: radio.clock, progress: { _ in }
            ).run()
            let line = try #require(output.lines.first)
            #expect(
                line.wholeMatch(
                    of:
                        /\{"characteristic":"00002a19-0000-1000-8000-00805f9b34fb","date":"1970[^"]*Z","event":"value","index":1,"text":"\d+ %","value":"[0-9a-f]{2}"\}/
                ) != nil)
        }
    }

    @Test("a link that is lost is made again when asked to, and values go on")
    func reconnect() async throws {
        try await inTown { [accelerometer] radio, central in
            let output = RecordedOutput()
            var plan = NotifySession.Plan(peripheral: "SensorTag", characteristic: accelerometer, count: 30)
            plan.reconnects = true
            let messages = Locked<[String]>([])
            let session = NotifySession(
                central: central, plan: plan, output: output, clock: radio.clock,
                progress: { text in messages.withLock { $0.append(text) } })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await session.run() }
                let tag = try #require(radio.peripherals.first { $0.name == "SensorTag" })
                try await tag.wait { $0.characteristic(accelerometer)?.subscriptionCount == 1 }
                try await radio.clock.sleep(for: .seconds(1))
                tag.disconnect()
                try await group.next()
            }
            #expect(output.lines.count == 30)
            #expect(messages.withLock { $0.contains("connected again") })
        }
    }

    @Test("a link that is lost ends a notify that was not asked to reconnect")
    func lostLink() async throws {
        try await inTown { [accelerometer] radio, central in
            let plan = NotifySession.Plan(peripheral: "SensorTag", characteristic: accelerometer)
            let session = NotifySession(
                central: central, plan: plan, output: RecordedOutput(), clock: radio.clock, progress: { _ in })
            let tag = try #require(radio.peripherals.first { $0.name == "SensorTag" })
            async let end: Void = session.run()
            try await tag.wait { $0.characteristic(accelerometer)?.subscriptionCount == 1 }
            tag.disconnect()
            do {
                try await end
                Issue.record("it ended without an error")
            } catch {
                #expect(CommandFailure(error).status == .tryAgain)
            }
        }
    }

    @Test(
        "a device, service or characteristic that is not there is told apart by the exit status",
        arguments: [
            ("Nobody", "2A19", nil, ToolStatus.tryAgain), ("Heart Strap", "2A00", nil, .refused),
            ("Heart Strap", "2A19", "1234", .refused), ("Dog Collar", "2A19", nil, .refused),
        ] as [(String, BluetoothUUID, BluetoothUUID?, ToolStatus)])
    func missing(name: String, characteristic: BluetoothUUID, service: BluetoothUUID?, status: ToolStatus) async throws
    {
        try await inTown { radio, central in
            let plan = NotifySession.Plan(peripheral: name, characteristic: characteristic, service: service)
            let session = NotifySession(
                central: central, plan: plan, output: RecordedOutput(), clock: radio.clock, progress: { _ in })
            do {
                try await session.run()
                Issue.record("it ended without an error")
            } catch {
                #expect(CommandFailure(error).status == status)
            }
        }
    }

    @Test("without a radio a command says what to install and exits with 69")
    func noRadio() async throws {
        let failure = BackendFailure(name: "bluecap.NoBackend", message: "no bluetoothd", advice: "Install bluez")
        let central = CentralManager(
            backend: UnavailableBackend(failure: failure), configuration: .tool(clock: .continuous))
        let error = await #expect(throws: CommandFailure.self) { try await central.requireRadio() }
        #expect(error?.status == .noRadio)
        #expect(error?.message.contains("Install bluez") == true)
    }
}
