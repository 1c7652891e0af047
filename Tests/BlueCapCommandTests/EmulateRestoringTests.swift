// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

/// An emulation whose program is killed, and the next one.
@Suite(.timeLimit(.minutes(60)))
struct EmulateRestoringTests {
    private static let edits = AsyncStream<String> { $0.finish() }

    private static func plan(_ services: [String] = ["Battery", "Heart Rate"]) throws -> EmulateServicesSession.Plan {
        EmulateServicesSession.Plan(
            services: services, name: "Lamp", values: [try #require(SetArgument(argument: "battery level=20"))],
            isStill: true, restores: true)
    }

    private static func manager(_ backend: VirtualPeripheralBackend) -> PeripheralManager {
        var configuration = PeripheralManager.Configuration.tool(clock: backend.ownClock)
        configuration.restoreIdentifier = "lamp"
        return PeripheralManager(backend: backend, configuration: configuration)
    }

    /// Runs an emulation that fails.
    ///
    /// - Returns: The error with which the program ends.
    private func failure(
        on radio: VirtualRadio, _ plan: EmulateServicesSession.Plan
    ) async throws -> CommandFailure? {
        let backend = radio.peripheral()
        let session = EmulateServicesSession(
            manager: Self.manager(backend), plan: plan, output: RecordedOutput(), clock: radio.clock, edits: Self.edits,
            progress: { _ in })
        defer { backend.kill() }
        return await #expect(throws: CommandFailure.self) { try await session.run() }
    }

    /// Emulates until `body` is through, and then ends the program as `kill -9` does, or in an orderly way.
    ///
    /// - Returns: The printed lines, and the lines of progress.
    private func emulate(
        on radio: VirtualRadio, _ plan: EmulateServicesSession.Plan, kills: Bool = true,
        _ body: () async throws -> Void
    ) async throws -> (lines: [String], progress: [String]) {
        let backend = radio.peripheral()
        let (output, progress) = (RecordedOutput(), Locked<[String]>([]))
        let session = EmulateServicesSession(
            manager: Self.manager(backend), plan: plan, output: output, clock: radio.clock, edits: Self.edits,
            progress: { line in progress.withLock { $0.append(line) } })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await session.run() }
            while !output.lines.contains(where: { $0.hasPrefix("Advertising") }) {
                try await radio.clock.sleep(for: .milliseconds(10))
            }
            try await body()
            if kills { backend.kill() }
            group.cancelAll()
        }
        return (output.lines, progress.withLock { $0 })
    }

    /// The handle and the value of the battery's level, as a central finds it that has not seen the device before.
    private func level(_ radio: VirtualRadio) async throws -> (id: AttributeID, value: Bytes) {
        let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
        let finder = DeviceFinder(central: central, device: "Lamp", timeout: .seconds(10), progress: { _ in })
        try await central.requireRadio()
        let peripheral = try await finder.find()
        try await peripheral.connect(timeout: .seconds(10))
        try await peripheral.discover(timeout: .seconds(10))
        let level = try peripheral.characteristic("2A19")
        let value = try await level.read(timeout: .seconds(10))
        await central.invalidate()
        return (level.id, value)
    }

    @Test func `what a killed program offered is taken up in its places, with names, values and answers`() async throws
    {
        try await VirtualRadio.run(seed: 1) { radio in
            var first: AttributeID?
            let before = try await emulate(on: radio, Self.plan()) { first = try await level(radio).id }
            #expect(before.lines.first == "Offering Battery: 1 characteristic")
            var again: (id: AttributeID, value: Bytes)?
            let after = try await emulate(on: radio, Self.plan()) { again = try await level(radio) }
            #expect(
                after.lines.prefix(3) == [
                    "Offering again Battery: 1 characteristic", "Offering again Heart Rate: 3 characteristics",
                    "Advertising as Lamp with Battery, Heart Rate",
                ])
            #expect(after.lines.contains { $0.hasSuffix(" read Battery Level: 20 %") }, "\(after.lines)")
            #expect(after.progress.isEmpty && again?.id == first && again?.value == [20])
        }
    }

    @Test func `another device under the name takes the place of the one before`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            _ = try await emulate(on: radio, Self.plan(["Heart Rate", "Battery"])) {}
            var value: Bytes?
            let after = try await emulate(on: radio, Self.plan(["Battery"])) { value = try await level(radio).value }
            #expect(
                after.lines.prefix(2) == [
                    "Offering Battery: 1 characteristic", "Advertising as Lamp with Battery",
                ])
            #expect(after.progress.first?.contains("another device") == true && value == [20])
        }
    }

    @Test func `a plan that cannot be leaves what was offered before to the next run`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            _ = try await emulate(on: radio, Self.plan()) {}
            var wrong = try Self.plan(["Battery"])
            wrong.moves = [try #require(MoveArgument(argument: "nonsense=walk:40..60:2"))]
            #expect(try await failure(on: radio, wrong)?.status == .usage)
            let after = try await emulate(on: radio, Self.plan()) {}
            #expect(after.lines.first == "Offering again Battery: 1 characteristic", "\(after)")
        }
    }

    @Test func `a run that finds no radio leaves what was offered before to the next`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            _ = try await emulate(on: radio, Self.plan()) {}
            radio.adapter(address: "00:00:5E:00:53:02").powerOff()
            #expect(try await failure(on: radio, Self.plan())?.status == .noRadio)
            radio.adapter(address: "00:00:5E:00:53:02").powerOn()
            let after = try await emulate(on: radio, Self.plan()) {}
            #expect(after.lines.first == "Offering again Battery: 1 characteristic", "\(after)")
        }
    }

    @Test func `services with other descriptors are another device`() {
        func service(_ descriptors: [MutableDescriptor]) -> MutableService {
            let level = MutableCharacteristic(uuid: "2A19", properties: .read, permissions: .readable, value: [1])
            level.descriptors = descriptors
            let service = MutableService(uuid: "180F")
            service.characteristics = [level]
            return service
        }
        func takesUp(_ restored: [MutableDescriptor], insteadOf wanted: [MutableDescriptor]) -> EmulatedServices? {
            EmulatedServices([service(restored)], insteadOf: EmulatedServices(services: [service(wanted)]))
        }
        #expect(takesUp([], insteadOf: [MutableDescriptor(uuid: "2901")]) == nil)
        #expect(takesUp([MutableDescriptor(uuid: "2904")], insteadOf: [MutableDescriptor(uuid: "2901")]) == nil)
        let taken = takesUp(
            [MutableDescriptor(uuid: "2901")], insteadOf: [MutableDescriptor(uuid: "2901", value: [0x41])])
        #expect(taken?.characteristics.first?.descriptors.map(\.value) == [[0x41]])
    }

    @Test func `a program that was killed before it advertised is taken up, and advertised`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let backend = radio.peripheral()
            let manager = Self.manager(backend)
            try await manager.requireRadio()
            for service in EmulatedServices([try EmulatedServices.profile(named: "Battery")]).services {
                try await manager.add(service, timeout: .seconds(10))
            }
            backend.kill()
            var value: Bytes?
            let after = try await emulate(on: radio, Self.plan(["Battery"])) { value = try await level(radio).value }
            #expect(
                after.lines.prefix(2) == [
                    "Offering again Battery: 1 characteristic", "Advertising as Lamp with Battery",
                ])
            #expect(after.progress.isEmpty && value == [20])
        }
    }

    @Test func `an end in order leaves nothing to take up`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            _ = try await emulate(on: radio, Self.plan(), kills: false) {}
            let after = try await emulate(on: radio, Self.plan()) {}
            #expect(after.lines.first == "Offering Battery: 1 characteristic" && after.progress.isEmpty)
        }
    }

    @Test(arguments: [
        (["Battery", "--restore", ""], "1 to 80 bytes"), (["lamp.json", "--restore", "lamp"], "is of services"),
    ])
    func `what cannot be restored is refused`(arguments: [String], reason: String) {
        let error = #expect(throws: (any Error).self) { try EmulateDeviceCommand.parse(arguments) }
        #expect(error.map { EmulateDeviceCommand.message(for: $0).contains(reason) } == true)
    }

    #if os(Linux)
    @Test func `a virtual radio has nothing to restore, which is said`() async throws {
        let run = try await PipedRun(["emulate", "Battery", "--restore", "lamp", "--backend", "virtual"])
        #expect(run.status == 64 && run.errors.contains("--restore needs a real radio"), "\(run)")
    }
    #endif
}
