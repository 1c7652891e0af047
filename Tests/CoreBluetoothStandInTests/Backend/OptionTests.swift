// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapTesting
import Foundation
import Testing

@testable import BlueCapCoreBluetooth
@testable import CoreBluetooth

/// The options that a program passes on, the objects that it can reach, and the Info.plist that it needs.
@Suite(.timeLimit(.minutes(60)))
struct OptionTests {
    @Test func `C11: an attempt to connect has the options of the backend, and by default none`() async throws {
        try await StrapScene.run { scene in
            let none = try await options(CoreBluetoothOptions(), in: scene)
            #expect(none == [:])
            let every = CoreBluetoothOptions(
                alertsOnConnection: true, alertsOnDisconnection: true, alertsOnNotification: true, requiresANCS: true)
            let all = try await options(every, in: scene)
            #expect(
                all == [
                    CBConnectPeripheralOptionNotifyOnConnectionKey: true,
                    CBConnectPeripheralOptionNotifyOnDisconnectionKey: true,
                    CBConnectPeripheralOptionNotifyOnNotificationKey: true,
                    CBConnectPeripheralOptionRequiresANCS: true,
                ])
            let one = try await options(CoreBluetoothOptions(alertsOnDisconnection: true), in: scene)
            #expect(one == [CBConnectPeripheralOptionNotifyOnDisconnectionKey: true])
        }
    }

    /// The options of the connection that a backend makes.
    private func options(_ options: CoreBluetoothOptions, in scene: StrapScene) async throws -> [String: Bool]? {
        let seam = Seam(in: scene.world, over: CoreBluetoothCentralBackend(options: options))
        #expect(try await seam.begin())
        await seam.backend.scan(ScanRequest(allowsDuplicates: true))
        #expect(try await scene.world.wait { seam.count { if case .sighted = $0 { true } else { false } } > 0 })
        #expect(try await seam.connect(scene.identifier))
        let found = await seam.backend.withPeripheral(scene.identifier) { peripheral in
            (peripheral.connectOptions ?? [:]).compactMapValues { $0 as? Bool }
        }
        await seam.backend.invalidate()
        return found
    }

    @Test(arguments: [true, false])
    func `M2: the alert about a radio that is off is shown if the program wants it`(_ isWanted: Bool) async throws {
        try await StandInWorld.run { world in
            let options = CoreBluetoothOptions(showsPowerAlert: isWanted)
            let seam = Seam(in: world, over: CoreBluetoothCentralBackend(options: options))
            #expect(try await seam.begin())
            let central = await seam.backend.withCentralManager { manager in
                manager.options?[CBCentralManagerOptionShowPowerAlertKey] as? Bool
            }
            #expect(central == .some(isWanted))
            await seam.backend.invalidate()
            let backend = CoreBluetoothPeripheralBackend(options: options)
            let manager = world.makePeripheralManager(over: backend) { $0 }
            try await manager.whenPoweredOn(timeout: .seconds(10))
            let peripheral = await backend.call { _, manager in
                manager.options?[CBPeripheralManagerOptionShowPowerAlertKey] as? Bool
            }
            #expect(peripheral == .some(isWanted))
            await world.close()
        }
    }

    @Test func `B11, C8: a program reaches CoreBluetooth's objects while the radio is on`() async throws {
        try await StrapScene.run { scene in
            let strap = try await scene.connected()
            let backend = scene.backend
            let key = DispatchSpecificKey<Bool>()
            backend.queue.setSpecific(key: key, value: true)
            let state = await backend.withPeripheral(strap.identifier) { peripheral in
                DispatchQueue.getSpecific(key: key) == true ? peripheral.state : nil
            }
            #expect(state == .connected)
            #expect(await backend.withCentralManager { _ in DispatchQueue.getSpecific(key: key) } == true)
            #expect(await backend.withPeripheral(PeerIdentifier(UUID().uuidString)) { _ in 1 } == nil)
            #expect(await backend.withPeripheral("C0:DE:00:00:00:01") { _ in 1 } == nil)
            try await scene.world.setPower(false)
            #expect(try await scene.world.wait { scene.central.state == .poweredOff })
            #expect(await backend.withCentralManager { _ in 1 } == nil)
            #expect(await backend.withPeripheral(strap.identifier) { _ in 1 } == nil)
        }
    }

    @Test func `P1: an app without a usage description has no manager of CoreBluetooth, and says why`() async throws {
        try await StandInWorld.run { world in
            let failure = UsageDescription.failure { ["CFBundlePackageType": "APPL"][$0] }
            let options = CoreBluetoothOptions()
            let central = world.makeCentral(
                over: CoreBluetoothCentralBackend(restoreIdentifier: nil, options: options, usageFailure: failure),
                through: { $0 })
            let peripheral = world.makePeripheralManager(
                over: CoreBluetoothPeripheralBackend(restoreIdentifier: nil, options: options, usageFailure: failure),
                through: { $0 })
            let error = await #expect(throws: CentralManagerError.self) {
                try await central.whenPoweredOn(timeout: .seconds(10))
            }
            #expect(error?.description.contains("NSBluetoothAlwaysUsageDescription") == true)
            #expect(central.state == .unauthorized)
            let other = await #expect(throws: PeripheralManagerError.self) {
                try await peripheral.whenPoweredOn(timeout: .seconds(10))
            }
            #expect(other?.description.contains("NSBluetoothAlwaysUsageDescription") == true)
            #expect(world.host.liveCount(.managers) == 0)
            await world.close()
        }
    }

    @Test(arguments: [
        ["CFBundlePackageType": "APPL", "NSBluetoothAlwaysUsageDescription": "It finds straps."],
        ["CFBundlePackageType": "XPC!"], [:],
    ])
    func `P1: an app with one has a manager, and so has what is no app`(_ entries: [String: String]) async throws {
        try await StandInWorld.run { world in
            let failure = UsageDescription.failure { entries[$0] }
            let backend = CoreBluetoothCentralBackend(
                restoreIdentifier: nil, options: CoreBluetoothOptions(), usageFailure: failure)
            let central = world.makeCentral(over: backend) { $0 }
            try await central.whenPoweredOn(timeout: .seconds(10))
            await world.close()
        }
    }
}
