// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapSerDe
import BlueCapTesting
import BlueCapVirtual
import CoreBluetooth
import Foundation
import Testing

/// Programs in the central role that the system ended, and that begin again.
@Suite(.timeLimit(.minutes(60)))
struct RestoredCentralTests {
    /// Has a program listen, and ends it.
    private func relaunched(
        _ scene: StrapScene, _ uuid: BluetoothUUID = "2A19", _ meanwhile: () async throws -> Void = {}
    ) async throws -> StrapScene {
        let strap = try await scene.discovered()
        let inner = try await strap.service("180F").discoverIncludedServices(timeout: .seconds(10))
        var all = strap.services.flatMap(\.characteristics)
        for service in inner { all += try await service.discoverCharacteristics(timeout: .seconds(10)) }
        let values = try await #require(all.first { $0.uuid == uuid }).notifications()
        defer { withExtendedLifetime(values) {} }
        return try await scene.relaunched(meanwhile)
    }

    @Test func `R3, R4, E8: a link is taken up with its values, and is not made again`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            let next = try await relaunched(scene) { try await scene.peer.notify(StrapScene.level, [[7]]) }
            let restored = try #require(try await next.central.restoredState())
            let strap = try #require(restored.peripherals.first)
            #expect(restored.peripherals.map(\.identifier) == [scene.identifier])
            #expect(restored.characteristics.map(\.uuid) == ["2A19"])
            try await strap.connect(timeout: .seconds(10))
            let level = try #require(restored.characteristics.first)
            let values = try await level.notifications(valueTimeout: .seconds(10))
            try await scene.peer.notify(StrapScene.level, [[8]])
            #expect(try await take(2, from: values) == [[7], [8]])
            #expect(try await scene.peer.connections() == PeerConnections(current: 1, total: 1))
            #expect(try await level.read() == [100])
            #expect(try await next.central.restoredState() == nil)
            #expect(await next.backend.statistics == CoreBluetoothStatistics())
        }
    }

    @Test func `R2: what was restored is reported before the first state`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            _ = try await scene.discovered()
            await scene.world.host.terminateApp()
            let seam = Seam(in: scene.world, over: CoreBluetoothCentralBackend(restoreIdentifier: "central"))
            #expect(try await seam.begin())
            let first = try #require(seam.events.first)
            guard case .restored(let contents) = first else {
                Issue.record("the first event is \(first)")
                return
            }
            #expect(contents.peripherals.map(\.id) == [scene.identifier])
            #expect(contents.peripherals.map(\.isConnected) == [true])
            #expect(seam.count { $0.isPoweredOn } == 1)
            #expect(try await seam.connect(scene.identifier))
            await seam.backend.invalidate()
        }
    }

    @Test func `R1: another identifier restores nothing, and none asks for nothing`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            _ = try await scene.discovered()
            await scene.world.host.terminateApp()
            for identifier in ["another", nil] {
                let backend = CoreBluetoothCentralBackend(restoreIdentifier: identifier)
                #expect(backend.restoresState == (identifier != nil))
                let central = scene.world.makeCentral(over: backend) { $0 }
                #expect(try await central.restoredState() == nil)
            }
        }
    }

    @Test func `R3, D6: a subscription in an included service has the numbers of the discovery to come`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            _ = try await relaunched(scene, "FFE5") {
                let seam = Seam(in: scene.world, over: CoreBluetoothCentralBackend(restoreIdentifier: "central"))
                #expect(try await seam.begin())
                guard case .restored(let contents)? = seam.events.first else {
                    Issue.record("nothing was restored")
                    return
                }
                let subscription = try #require(contents.peripherals.first?.subscriptions.first)
                #expect(subscription.characteristic.uuid == "FFE5")
                #expect(subscription.includingService?.uuid == "180F")
                #expect(try await seam.connect(scene.identifier))
                let reply = try await seam.ask(.discoverServices(scene.identifier, ["180F"]))
                #expect(reply == .services(subscription.includingService.map { [$0] } ?? []))
                let outer = try #require(subscription.includingService)
                let inside = try await seam.ask(
                    .discoverIncludedServices(scene.identifier, service: outer.id, nil))
                #expect(inside == .services([subscription.service]))
                let found = try await seam.ask(
                    .discoverCharacteristics(scene.identifier, service: subscription.service.id, nil))
                #expect(found == .characteristics([subscription.characteristic]))
                await seam.backend.invalidate()
            }
        }
    }

    @Test func `R3: values of an included service go on`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            let next = try await relaunched(scene, "FFE5") { try await scene.peer.notify(StrapScene.inner, [[7]]) }
            let restored = try #require(try await next.central.restoredState())
            let inner = try #require(restored.characteristics.first)
            try await restored.peripherals.first?.connect(timeout: .seconds(10))
            let values = try await inner.notifications(valueTimeout: .seconds(10))
            try await scene.peer.notify(StrapScene.inner, [[8]])
            #expect(try await take(2, from: values) == [[7], [8]])
        }
    }

    @Test func `R3: a scan that the journal and the platform tell of is restored once`() async throws {
        try await StrapScene.run(restoring: "central", journal: MemoryRestorationStore()) { scene in
            let central = scene.central
            let scan = scene.world.start { for try await _ in central.scan(for: ["FFE0", "180F"]) {} }
            #expect(try await scene.world.wait { central.isScanning })
            let next = try await scene.relaunched()
            let restored = try #require(try await next.central.restoredState())
            #expect(restored.scans.map(\.services) == [["180F", "FFE0"]])
            scan.cancel()
        }
    }

    @Test func `R3: a scan of the platform's alone is told, and stops unless it is begun again`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            let central = scene.central
            let scan = scene.world.start { for try await _ in central.scan(options: .init(allowsDuplicates: true)) {} }
            #expect(try await scene.world.wait { central.isScanning })
            let next = try await scene.relaunched()
            let restored = try #require(try await next.central.restoredState())
            #expect(restored.scans == [.init(options: ScanOptions(allowsDuplicates: true))])
            try await next.central.whenPoweredOn()
            try await scene.world.elapse(.seconds(9))
            #expect(await next.backend.isPlatformScanning)
            try await scene.world.elapse(.seconds(2))
            #expect(await next.backend.isPlatformScanning == false)
            #expect(try await next.sighted().identifier == scene.identifier)
            scan.cancel()
        }
    }

    @Test func `R3: the sighting for which the system has started the program is one of its first scan`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            let central = scene.central
            let scan = scene.world.start { for try await _ in central.scan(options: .init(allowsDuplicates: true)) {} }
            #expect(try await scene.world.wait { central.isScanning })
            try await scene.peer.advertise(false)
            let next = try await scene.relaunched {
                try await scene.peer.advertise(true)
                try await scene.world.elapse(.milliseconds(500))
                try await scene.peer.advertise(false)
            }
            _ = try await next.central.restoredState()
            var sightings = next.central.scan(timeout: .seconds(5)).makeAsyncIterator()
            #expect(try await sightings.next()?.peripheral.identifier == scene.identifier)
            scan.cancel()
        }
    }

    @Test(.serialized, arguments: ["UI", "WK"])
    func `B3: a restored program is in the background until the app becomes active`(_ kit: String) async throws {
        try await StrapScene.run(restoring: "central") { scene in
            _ = try await scene.discovered()
            await scene.world.host.terminateApp()
            let seam = Seam(in: scene.world, over: CoreBluetoothCentralBackend(restoreIdentifier: "central"))
            #expect(try await seam.begin())
            #expect(seam.coalescing == [true])
            for (name, isBackground) in [("DidBecomeActive", false), ("DidEnterBackground", true)] {
                NotificationCenter.default.post(
                    name: NSNotification.Name("\(kit)Application\(name)Notification"), object: nil)
                #expect(try await scene.world.wait { seam.coalescing.last == isBackground })
            }
            #expect(seam.coalescing == [true, false, true])
            await seam.backend.invalidate()
        }
    }

    @Test func `R3: an attempt goes on while there is no program, and its link is the next one's`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            let strap = try await scene.sighted()
            try await scene.peer.vanish()
            let attempt = scene.world.start { try await strap.connect() }
            #expect(try await scene.world.wait { strap.state == .connecting })
            let next = try await scene.relaunched {
                try await scene.peer.comeBack()
                try await scene.peer.wait(until: .connected)
            }
            let restored = try #require(try await next.central.restoredState())
            let again = try #require(restored.peripherals.first)
            try await again.connect(timeout: .seconds(10))
            try await again.discover(timeout: .seconds(10))
            #expect(try await scene.peer.connections() == PeerConnections(current: 1, total: 1))
            attempt.cancel()
        }
    }

    @Test func `R4: a restored peripheral that stays connecting is cancelled in time, and connects then`() async throws
    {
        try await StrapScene.run(restoring: "central") { scene in
            let next = try await relaunched(scene) { scene.world.host.faults = [.restoredStaysConnecting] }
            let strap = try #require(try await next.central.restoredState()?.peripherals.first)
            await #expect(throws: PeripheralError.connectionTimeout) { try await strap.connect(timeout: .seconds(10)) }
            try await strap.connect(timeout: .seconds(10))
            try await strap.discover(timeout: .seconds(10))
            #expect(try await strap.characteristic("2A19").read() == [100])
        }
    }

    @Test(arguments: [true, false])
    func `R2, M5: a radio that is off at the launch ends links, and makes them again`(
        _ isReset: Bool
    ) async throws {
        try await StrapScene.run(restoring: "central") { scene in
            let adapter = scene.world.host.adapter
            let next = try await relaunched(scene) { if isReset { adapter.unplug() } else { adapter.powerOff() } }
            let strap = try #require(try await next.central.restoredState()?.peripherals.first)
            if isReset { adapter.plugIn() } else { adapter.powerOn() }
            try await next.central.whenPoweredOn(timeout: .seconds(10))
            try await strap.connect(timeout: .seconds(10))
            try await strap.discover(timeout: .seconds(10))
            #expect(try await strap.characteristic("2A19").read() == [100])
            #expect(scene.world.host.misuses.isEmpty)
        }
    }

    @Test func `M9: a restored connection that nobody takes up ends with its manager`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            let next = try await relaunched(scene)
            try await next.central.whenPoweredOn()
            await next.central.invalidate()
            try await scene.world.elapse(.seconds(5))
            #expect(try await scene.peer.connections().current == 0)
        }
    }
}
