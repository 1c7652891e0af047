// SPDX-License-Identifier: MIT

#if os(Linux)
@testable import BlueCapKernel
import BlueCapFakeKernel
import BlueCapLoop
import BlueCapTestExecutor
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PacketMonitorTests {
    @Test func `packets are handed on from a monitor that the kernel has added`() async throws {
        let standIn = try await KernelStandIn()
        let kernel = standIn.kernel
        #expect(await kernel.command(1) == .init(.addMonitor(AdvertisementPattern.commonFlags)))
        await kernel.answer(1, [7, 0])
        await kernel.send(0x002F, [7, 0] + ManagementFrameTests.found)
        await standIn.events.wait(for: 2)
        let packet = try #require(ReceivedPacket(ManagementFrameTests.found[...]))
        #expect(standIn.events.all == [.hears, .received(packet)])
        await standIn.end()
    }

    @Test func `packets of another adapter are passed over`() async throws {
        let standIn = try await KernelStandIn()
        let kernel = standIn.kernel
        _ = await kernel.command(1)
        await kernel.send(0x0012, ManagementFrameTests.found, controller: 1)
        await kernel.answer(1, [7, 0])
        await standIn.events.wait(for: 1)
        #expect(standIn.events.all == [.hears])
        await standIn.end()
    }

    @Test(
        arguments: [
            (0x14, .notPermitted), (0x0C, .unsupported), (0x01, .unsupported), (0x07, .refused(status: 7)),
        ] as [(UInt8, ManagementError)])
    func `a refusal ends the monitor with its reason`(status: UInt8, error: ManagementError) async throws {
        let standIn = try await KernelStandIn()
        let kernel = standIn.kernel
        _ = await kernel.command(1)
        await kernel.answer(1, status: status)
        await standIn.events.wait(for: 1)
        #expect(standIn.events.all == [.failed(error)])
        await standIn.end()
    }

    @Test func `a monitor is taken back at the end, also one whose addition was not answered yet`() async throws {
        let standIn = try await KernelStandIn()
        let kernel = standIn.kernel
        _ = await kernel.command(1)
        await standIn.stop()
        await kernel.answer(1, [7, 0])
        #expect(await kernel.command(2) == .init(.removeMonitor(7)))
        await kernel.answer(2, [7, 0])
        #expect(standIn.events.all.isEmpty)
        await standIn.end()
    }

    @Test func `a command that another one is in the way of is sent again`() async throws {
        let standIn = try await KernelStandIn()
        let kernel = standIn.kernel
        _ = await kernel.command(1)
        await kernel.answer(1, status: 0x0A)
        #expect(await kernel.command(2) == .init(.addMonitor(AdvertisementPattern.commonFlags)))
        await kernel.answer(2, [7, 0])
        await standIn.events.wait(for: 1)
        await standIn.stop()
        _ = await kernel.command(3)
        await kernel.answer(3, status: 0x0A)
        #expect(await kernel.command(4) == .init(.removeMonitor(7)))
        await kernel.answer(4, [7, 0])
        #expect(standIn.events.all == [.hears])
        await standIn.end()
    }

    @Test func `a monitor that another program removes is added again`() async throws {
        let standIn = try await KernelStandIn()
        let kernel = standIn.kernel
        _ = await kernel.command(1)
        await kernel.answer(1, [7, 0])
        await kernel.send(0x002C, [0, 0])
        #expect(await kernel.command(2) == .init(.addMonitor(AdvertisementPattern.commonFlags)))
        await kernel.answer(2, [8, 0])
        await standIn.events.wait(for: 3)
        #expect(standIn.events.all == [.hears, .isDeaf, .hears])
        await standIn.end()
    }
}
#endif
