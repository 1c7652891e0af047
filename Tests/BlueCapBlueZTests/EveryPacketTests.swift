// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapFakeKernel
import BlueCapKernel
import BlueCapLoop
import Testing

extension OverABus {
    /// The kernel's packets beside the daemon's discovery.
    @Suite(.timeLimit(.minutes(60)))
    struct EveryPacketTests {
        /// Device Found of ``Stage/id``, at −60 dBm, with flags.
        private static let found: [UInt8] = [1, 0, 0, 0, 0, 0xC0, 2, 0xC4, 0, 0, 0, 0, 3, 0, 2, 1, 6]

        /// A stage that hears every packet, and its kernel, which has had the given number of commands.
        private func hearing() async throws -> (Stage, FakeKernel) {
            let stage = try await Stage()
            let kernel = try await stage.useKernel()
            try await hear(stage, kernel, after: 0)
            return (stage, kernel)
        }

        private func hear(_ stage: Stage, _ kernel: FakeKernel, after count: Int) async throws {
            await stage.command { $0.scan(ScanRequest(allowsDuplicates: true, modes: [.everyPacket])) }
            #expect(await kernel.command(count + 1).code == 0x0052)
            await kernel.answer(count + 1, [7, 0])
            try await receive(kernel, stage)
        }

        private func receive(_ kernel: FakeKernel, _ stage: Stage) async throws {
            await kernel.send(0x002F, [7, 0] + Self.found)
            guard case .sighted(let sighting) = try await stage.events.next() else { throw Unexpected("no packet") }
            #expect(sighting.peripheral == Stage.id)
            #expect(sighting.rssi == -60)
        }

        /// Expects that the monitor with the number of its command is taken back, and its socket closed.
        private func expectTakenBack(_ kernel: FakeKernel, by number: Int) async {
            let command = await kernel.command(number)
            #expect(command == FakeKernel.Command(.removeMonitor(7)))
            await kernel.answer(number, [7, 0])
            await kernel.whenClosed(1)
        }

        @Test func `an adapter that is unplugged leaves no monitor, and a scan after its return hears again`()
            async throws
        {
            let (stage, kernel) = try await hearing()
            await kernel.send(0x0005, [])
            // The packet behind it shows that it was taken.
            try await receive(kernel, stage)
            await stage.stub.run { $0.remove(StubBlueZ.adapter) }
            #expect(try await stage.events.state() != .poweredOn)
            await kernel.whenClosed(1)
            #expect(kernel.commandCount == 1)
            // Back at the kernel, before BlueZ has it: nobody asks for packets.
            await kernel.send(0x0004, [])
            await stage.stub.run { $0.add(StubBlueZ.adapter, Stage.adapter()) }
            #expect(try await stage.events.state() == .poweredOn)
            #expect(kernel.openingCount == 1)
            try await hear(stage, kernel, after: 1)
            await kernel.end()
        }

        @Test func `a monitor is taken back when BlueZ loses the adapter before the kernel does`() async throws {
            let (stage, kernel) = try await hearing()
            await stage.stub.run { $0.remove(StubBlueZ.adapter) }
            #expect(try await stage.events.state() != .poweredOn)
            await expectTakenBack(kernel, by: 2)
            #expect(kernel.openingCount == 1)
            await kernel.end()
        }

        @Test func `a discovery that fails leaves no monitor, and the next scan hears again`() async throws {
            let stage = try await Stage()
            let kernel = try await stage.useKernel()
            await stage.stub.run { _ = $0.accepted.remove("StartDiscovery") }
            await stage.command { $0.scan(ScanRequest(modes: [.everyPacket])) }
            _ = await kernel.command(1)
            await kernel.answer(1, [7, 0])
            try await stage.stub.call("StartDiscovery").fail("Failed", "No")
            guard case .scanFailed = try await stage.events.next() else { throw Unexpected("no failure") }
            await expectTakenBack(kernel, by: 2)
            await stage.stub.run { _ = $0.accepted.insert("StartDiscovery") }
            try await hear(stage, kernel, after: 2)
            #expect(kernel.openingCount == 2)
            await kernel.end()
        }

        @Test func `packets that are not permitted leave the scan to BlueZ, and no socket`() async throws {
            let stage = try await Stage()
            let kernel = try await stage.useKernel()
            await stage.command { $0.scan(ScanRequest(modes: [.everyPacket])) }
            _ = await kernel.command(1)
            await kernel.answer(1, status: 0x14)
            guard case .scanModeRefused(.everyPacket, let failure) = try await stage.events.next() else {
                throw Unexpected("no refusal")
            }
            #expect(failure.message.contains("CAP_NET_ADMIN"))
            await kernel.whenClosed(1)
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties(rssi: -70)) }
            guard case .sighted(let sighting) = try await stage.events.next() else { throw Unexpected("no sighting") }
            #expect(sighting.rssi == -70)
            await kernel.end()
        }
    }
}
#endif
