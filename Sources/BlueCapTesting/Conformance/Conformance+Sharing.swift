// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    private static let inUse = "BlueCap.BackendInUse"

    /// A backend belongs to one manager of the central role.
    static let sharingOfCentral: [Behaviour] = [
        Behaviour("a second central manager over a backend says that it is in use, and the first goes on") { world in
            let scene = try await Scene.connected(Twin(name: "Peer"), in: world)
            let second = CentralManager(backend: scene.central.backend, configuration: .init(clock: world.clock))
            let wait = await outcome { () throws(CentralManagerError) in try await second.whenPoweredOn() }
            guard case .failure(.backend(let failure)) = wait, failure.name == inUse else {
                throw ConformanceFailure("waiting for the second manager gave \(wait)")
            }
            try expectEqual(second.state, .unsupported, "the state of the second manager")
            await second.invalidate()
            try expectEqual(scene.central.state, .poweredOn, "the state of the first manager")
            await scene.peripheral.disconnect()
            try await scene.reconnect()
        }
    ]

    /// A backend belongs to one manager of the peripheral role.
    static let sharingOfPeripheral: [Behaviour] = [
        Behaviour("a second peripheral manager over a backend says that it is in use, and the first goes on") { world in
            let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .read, value: [1]), in: world)
            let second = PeripheralManager(backend: scene.manager.backend, configuration: .init(clock: world.clock))
            let service = MutableService(uuid: .service(1))
            let added = await outcome { () throws(PeripheralManagerError) in
                try await second.whenPoweredOn()
                try await second.add(service)
            }
            guard case .failure(.backend(let failure)) = added, failure.name == inUse else {
                throw ConformanceFailure("adding to the second manager gave \(added)")
            }
            await second.invalidate()
            try expectEqual(try await scene.read().get(), [1], "what the first manager serves")
            try await scene.manager.add(service)
        }
    ]
}
