// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Programs that offer the services of the program before them again.
    static let restoringServices: [Behaviour] = [
        Behaviour("restored services stand where they stood, and are advertised again") { world in
            let store = MemoryRestorationStore()
            let first = try await world.makePeripheralManager(restoring: store)
            try await first.whenPoweredOn()
            let before = MutableService(uuid: .service(1))
            let service = MutableService(uuid: .service(0))
            service.characteristics = [
                MutableCharacteristic(0, .read, value: [7]), MutableCharacteristic(1, [.read, .notify], value: [1]),
            ]
            try await first.add([before, service])
            // The next program finds this place free.
            try await first.remove(before)
            try await first.startAdvertising(PeripheralScene.name)
            let far = try await world.farCentral(0)
            let device = try await far.hear { $0.localName == PeripheralScene.name }
            let found = try await far.connect(to: device)
            let place = try require(found.characteristic(1), "the characteristic at the central").id
            try await far.disconnect()
            store.closeAll()
            await first.invalidate()

            let second = try await world.makePeripheralManager(restoring: store)
            let restored = try require(try await second.restoredState(), "what was restored")
            try expectEqual(restored.services.map(\.uuid), [.service(0)], "the restored services")
            try expectEqual(restored.advertisement?.localName, PeripheralScene.name, "the restored advertisement")
            let notified = try require(restored.characteristics.last, "a restored characteristic")
            try expectEqual(restored.characteristics.first?.value, [7], "the value that does not change")
            // Until then the first program's advertisement and services may still be there.
            try await withEventRecorder(of: second.advertisingEvents()) { events in
                if !second.isAdvertising { try await events.first(1) }
            }
            let deviceAgain = try await far.hear { $0.localName == PeripheralScene.name }
            let placeAgain = try await far.connect(to: deviceAgain).characteristic(1)?.id
            try expectEqual(placeAgain, place, "where the characteristic stands")
            try await far.subscribe(to: place, indications: false)
            try notified.update([9])
            try expectEqual(try await far.received(from: place, count: 1), [[9]], "what was notified")
        }
    ]
}
