// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Returns the behaviours after an outage: the parts of the peripheral role that recover by themselves, and those
    /// that do not.
    public static func recovering(from outage: Outage) -> [Behaviour] {
        [
            Behaviour("services, the advertisement and a subscriber's values come back after \(outage)") { world in
                let scene = try await PeripheralScene.connected(
                    MutableCharacteristic(0, [.read, .notify], value: [4]), in: world)
                try await scene.subscribe()
                try await settle("the manager knows of the subscription") { !scene.local().subscribers.isEmpty }
                try scene.local().update([5])
                try expectEqual(try await scene.received(count: 1), [[5]], "what came before")
                try await withEventRecorder(of: scene.manager.states()) { states in
                    try await world.begin(outage)
                    try await states.wait { $0.contains { $0 != .poweredOn } }
                    try expect(!scene.manager.isAdvertising, "the manager says that it advertises")
                    try expect(scene.local().subscribers.isEmpty, "somebody is still subscribed")
                    try await world.end(outage)
                    try await states.wait { $0.last == .poweredOn && $0.contains { $0 != .poweredOn } }
                }
                // The platform's service may have left the link standing.
                try await scene.far.disconnect()
                let remote = try await expectServed(in: world, value: [5])
                try await scene.far.subscribe(to: remote.id, indications: false)
                try scene.local().update([6])
                try expectEqual(try await scene.far.received(from: remote.id, count: 1), [[6]], "what came after")
            },
            Behaviour("an advertisement that is interrupted by \(outage) says so, and that it is on the air again") {
                world in
                let manager = try await world.makePoweredPeripheralManager()
                try await withEventRecorder(of: manager.advertisingEvents()) { events in
                    try await manager.startAdvertising(PeripheralScene.name)
                    try await world.begin(outage)
                    try await events.first(2)
                    try await world.end(outage)
                    try await events.first(3)
                    try await manager.stopAdvertising()
                    try await events.first(4)
                    let (kinds, numbers) = (events.all.map(\.kind), Set(events.all.map(\.id)))
                    guard kinds.count == 4, case .interrupted = kinds[1] else {
                        throw ConformanceFailure("what was told of the advertisement: \(kinds)")
                    }
                    let rest = [kinds[0], kinds[2], kinds[3]]
                    try expectEqual(rest, [.started, .started, .ended(.stopped)], "the rest")
                    try expectEqual(numbers.count, 1, "how many advertisements there were")
                }
            },
            Behaviour("an advertisement whose time is over during \(outage) does not come back") { world in
                let manager = try await world.makePoweredPeripheralManager()
                try await withEventRecorder(of: manager.advertisingEvents()) { events in
                    let timeout = Duration.seconds(3)
                    try await manager.startAdvertising(Advertisement(localName: PeripheralScene.name, timeout: timeout))
                    try await world.begin(outage)
                    try await events.first(2)
                    try await world.elapse(timeout)
                    try await events.first(3)
                    try expectEqual(events.all.last?.kind, .ended(.timeOver), "the last event")
                    try await world.end(outage)
                    try await manager.whenPoweredOn()
                    // Waits until the platform has carried out all requests that the manager sent at its return.
                    try await manager.startAdvertising("Second")
                    let far = try await world.farCentral(0)
                    _ = try await far.hear { $0.localName == "Second" }
                    try await expectSilence(far)
                    try await events.first(4)
                    try expectEqual(events.all.count, 4, "how many events came")
                }
            },
        ]
    }
}
