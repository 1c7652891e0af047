// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Programs that restore the state of the program before them. The first one's journal is closed, as by its end,
    /// before its state is taken down.
    static let restoring: [Behaviour] = [
        Behaviour("a restored central connects again and gives every value since it listened") { world in
            let service = TwinService(.service(0), characteristics: [TwinCharacteristic(0, [.read, .notify])])
            let (store, scene) = try await Scene.journaled([service], in: world)
            let (peripheral, peer) = (scene.peripheral, scene.peer)
            try await peripheral.discover()
            try await receive([[1]], in: try peripheral.characteristic(.characteristic(0))) {
                try await peer.notify(PeerAttribute(), [[1]])
                // The journal is closed while the app still listens.
                store.closeAll()
            }
            let (second, characteristic) = try await scene.restored(from: store)
            try await peer.notify(PeerAttribute(), [[2]])
            try await receive([[2], [3]], in: characteristic) { try await peer.notify(PeerAttribute(), [[3]]) }
            let none = try await second.restoredState()
            try expect(none == nil, "what was restored is given twice")
        },
        Behaviour("a restored central finds a subscription in an included service again") { world in
            let (store, scene) = try await Scene.journaled(
                [
                    TwinService(.service(0), includes: [1], characteristics: [TwinCharacteristic(0, [.read])]),
                    TwinService(
                        .service(1), isPrimary: false,
                        characteristics: [TwinCharacteristic(1, [.read, .notify])]),
                ], in: world)
            let (peripheral, peer) = (scene.peripheral, scene.peer)
            let outer = try require(try await peripheral.discoverServices([.service(0)]).first, "the primary service")
            let inner = try require(try await outer.discoverIncludedServices().first, "the included service")
            let before = try require(try await inner.discoverCharacteristics().first, "its characteristic")
            let inside = PeerAttribute(service: 1)
            try await receive([[1]], in: before) {
                try await peer.notify(inside, [[1]])
                // The journal is closed while the app still listens.
                store.closeAll()
            }
            let (second, characteristic) = try await scene.restored(from: store)
            try await peer.notify(inside, [[2]])
            try await receive([[2], [3]], in: characteristic) { try await peer.notify(inside, [[3]]) }
            withExtendedLifetime(second) {}
        },
    ]
}

extension Scene {
    /// A peer that is connected, under a policy that connects again, to a central with a journal.
    fileprivate static func journaled(
        _ services: [TwinService], in world: any ConformanceWorld
    ) async throws -> (MemoryRestorationStore, Scene) {
        let store = MemoryRestorationStore()
        let peer = try await world.peer(0)
        let identifier = try await peer.configure(Twin(name: "Peer", services: services))
        try await peer.advertise(true)
        let central = try await world.makeCentral(restoring: store)
        try await central.whenPoweredOn()
        let peripheral = try await central.sight(identifier)
        peripheral.reconnectPolicy = ReconnectPolicy(maximumTimeouts: nil, backoff: .constant(.milliseconds(500)))
        try await peripheral.connect()
        return (store, Scene(world: world, central: central, peer: peer, peripheral: peripheral))
    }

    /// Ends the central, and returns the next program's with its restored characteristic once that is subscribed to.
    fileprivate func restored(
        from store: MemoryRestorationStore
    ) async throws -> (CentralManager, Characteristic) {
        await central.invalidate()
        try await peer.advertise(true)
        let second = try await world.makeCentral(restoring: store)
        let restored = try require(try await second.restoredState(), "what was restored")
        let again = try require(restored.peripherals.first, "a restored peripheral")
        let characteristic = try require(restored.characteristics.first, "a restored characteristic")
        try expectEqual(again.identifier, peripheral.identifier, "the restored peripheral")
        try await second.whenPoweredOn()
        try await again.connect()
        // A manager keeps a connection back for five seconds, in which a slow link has not discovered and subscribed.
        if world.linkInterval > .milliseconds(300) { try await world.elapse(world.linkInterval * 20) }
        try expect(characteristic.isNotifying, "the subscription is not on when the connection is reported")
        return (second, characteristic)
    }
}
