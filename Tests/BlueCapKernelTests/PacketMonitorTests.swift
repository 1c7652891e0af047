// SPDX-License-Identifier: MIT

#if os(Linux)
@testable import BlueCapKernel
import BlueCapLoop
import BlueCapTestExecutor
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PacketMonitorTests {
    @Test func `packets are handed on from a monitor that the kernel has added`() async throws {
        let kernel = try await KernelStandIn()
        #expect(await kernel.command(1) == .init(.addMonitor(AdvertisementPattern.commonFlags)))
        await kernel.answer(.addMonitor([]), [7, 0])
        await kernel.send(0x002F, [7, 0] + ManagementFrameTests.found)
        await kernel.events.wait(for: 2)
        let packet = try #require(ReceivedPacket(ManagementFrameTests.found[...]))
        #expect(kernel.events.all == [.hears, .received(packet)])
        await kernel.end()
    }

    @Test func `packets of another adapter are passed over`() async throws {
        let kernel = try await KernelStandIn()
        _ = await kernel.command(1)
        await kernel.send(0x0012, ManagementFrameTests.found, controller: 1)
        await kernel.answer(.addMonitor([]), [7, 0])
        await kernel.events.wait(for: 1)
        #expect(kernel.events.all == [.hears])
        await kernel.end()
    }

    @Test(
        arguments: [
            (0x14, .notPermitted), (0x0C, .unsupported), (0x01, .unsupported), (0x07, .refused(status: 7)),
        ] as [(UInt8, ManagementError)])
    func `a refusal ends the monitor with its reason`(status: UInt8, error: ManagementError) async throws {
        let kernel = try await KernelStandIn()
        _ = await kernel.command(1)
        await kernel.answer(.addMonitor([]), status: status, [])
        await kernel.events.wait(for: 1)
        #expect(kernel.events.all == [.failed(error)])
        await kernel.end()
    }

    @Test func `a monitor is taken back at the end, also one whose addition was not answered yet`() async throws {
        let kernel = try await KernelStandIn()
        _ = await kernel.command(1)
        await kernel.stop()
        await kernel.answer(.addMonitor([]), [7, 0])
        #expect(await kernel.command(2) == .init(.removeMonitor(7)))
        await kernel.answer(.removeMonitor(0), [7, 0])
        #expect(kernel.events.all.isEmpty)
        await kernel.end()
    }

    @Test func `a command that another one is in the way of is sent again`() async throws {
        let kernel = try await KernelStandIn()
        _ = await kernel.command(1)
        await kernel.answer(.addMonitor([]), status: 0x0A, [])
        #expect(await kernel.command(2) == .init(.addMonitor(AdvertisementPattern.commonFlags)))
        await kernel.answer(.addMonitor([]), [7, 0])
        await kernel.events.wait(for: 1)
        await kernel.stop()
        _ = await kernel.command(3)
        await kernel.answer(.removeMonitor(0), status: 0x0A, [])
        #expect(await kernel.command(4) == .init(.removeMonitor(7)))
        await kernel.answer(.removeMonitor(0), [7, 0])
        #expect(kernel.events.all == [.hears])
        await kernel.end()
    }

    @Test func `a monitor that another program removes is added again`() async throws {
        let kernel = try await KernelStandIn()
        _ = await kernel.command(1)
        await kernel.answer(.addMonitor([]), [7, 0])
        await kernel.send(0x002C, [0, 0])
        #expect(await kernel.command(2) == .init(.addMonitor(AdvertisementPattern.commonFlags)))
        await kernel.answer(.addMonitor([]), [8, 0])
        await kernel.events.wait(for: 3)
        #expect(kernel.events.all == [.hears, .isDeaf, .hears])
        await kernel.end()
    }
}
#endif
