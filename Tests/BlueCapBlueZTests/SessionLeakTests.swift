// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapPrivateBus
import Testing

/// In a process of its own, where nothing else opens descriptors.
@Suite(.timeLimit(.minutes(60)))
struct SessionLeakTests {
    @Test func `managers that are given up at a bus that does not answer leave no descriptor behind`() async {
        await #expect(processExitsWith: .success) {
            let bus = try PrivateBus()
            bus.suspend()
            func attempt() async {
                let manager = CentralManager(backend: BlueZCentralBackend(bus: bus.address))
                _ = try? await manager.whenPoweredOn(timeout: .milliseconds(1))
            }
            await attempt()
            let descriptors = await Process.descriptorsAtFirst()
            // Fewer than the connections that wait for the bus to accept them.
            for _ in 0..<20 { await attempt() }
            #expect(await Process.settles { Process.descriptorCount <= descriptors }, "\(descriptors) at first")
            bus.resume()
        }
    }
}
#endif
