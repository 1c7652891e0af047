// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapSerDe
import BlueCapTesting
import Foundation
import Testing

@testable import CoreBluetooth

/// The objects of CoreBluetooth that the backends keep.
@Suite(.timeLimit(.minutes(60)))
struct MemoryTests {
    @Test func `B11: ten thousand devices that are sighted once leave 1,024 objects, and no later one`() async throws {
        try await StrapScene.run { scene in
            let scan = scene.world.start { for try await _ in scene.central.scan() {} }
            #expect(try await scene.world.wait { scene.central.isScanning })
            for hundred in 0..<100 {
                await scene.backend.call { delegate, manager in
                    for number in 0..<100 {
                        delegate.centralManager(
                            manager, didDiscover: manager.object(PeerIdentifier("device \(hundred * 100 + number)")),
                            advertisementData: [:], rssi: NSNumber(value: -50))
                    }
                }
            }
            #expect(scene.world.host.liveCount(.peripherals) <= 1_024)
            #expect(scene.world.host.liveCount(.peripherals) >= 1_000)
            scan.cancel()
            await scene.central.invalidate()
            try await scene.world.elapse(.seconds(5))
            for kind in StandInObject.allCases { #expect(scene.world.host.liveCount(kind) == 0, "\(kind)") }
        }
    }

    @Test func `M9, M8: nothing is alive after both roles were used, restored and given up`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            let strap = try await scene.discovered()
            let values = try await strap.characteristic("2A19").notifications()
            let next = try await scene.relaunched()
            let restored = try #require(try await next.central.restoredState())
            try await restored.peripherals.first?.connect(timeout: .seconds(10))
            _ = try await restored.characteristics.first?.read()
            let manager = scene.world.makePeripheralManager(over: CoreBluetoothPeripheralBackend()) { $0 }
            try await manager.whenPoweredOn(timeout: .seconds(10))
            let service = MutableService(uuid: "180F")
            service.characteristics = [MutableCharacteristic(uuid: "2A19", properties: [.read, .notify], value: [1])]
            try await manager.add(service)
            try await manager.startAdvertising("Ours")
            for central in [scene.central, next.central] { await central.invalidate() }
            await manager.invalidate()
            try await scene.world.elapse(.seconds(5))
            for kind in StandInObject.allCases { #expect(scene.world.host.liveCount(kind) == 0, "\(kind)") }
            withExtendedLifetime(values) {}
        }
    }
}
