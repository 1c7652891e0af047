// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Restoring a peripheral", .timeLimit(.minutes(60)))
struct PeripheralRestoringTests {
    /// A program that offers two services, which the platform has placed, and advertises, and ends without a word.
    static func killed(_ store: MemoryRestorationStore) async throws {
        try await PeripheralWorld.run(restoring: store) { world in
            let services = try await PeripheralJournalTests.prepare(world)
            for (service, handle) in zip(services, [0x20, 0x40] as [UInt16]) {
                let id = try #require(service.registration?.id)
                await world.emit(.servicePlaced(id, handle: handle))
            }
            store.closeAll()
        }
    }

    @Test
    func `services come back in their order, each asking for its place, and the advertisements after them`()
        async throws
    {
        let store = MemoryRestorationStore()
        try await Self.killed(store)
        try await PeripheralWorld.run(state: nil, restoring: store) { world in
            let restored = try #require(try await world.manager.restoredState())
            #expect(restored.services.map(\.uuid) == ["1801", "1802"])
            #expect(restored.advertisement?.localName == "a")
            #expect(restored.advertisements.count == 1)
            #expect(await world.backend.summary() == [])
            await world.backend.answerAll(true)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(await world.backend.summary() == PeripheralJournalTests.all)
            let places = await world.backend.operations.compactMap { operation in
                if case .add(let service) = operation { service.handle } else { nil }
            }
            #expect(places == [0x20, 0x40])
            #expect(world.manager.isAdvertising)
            let again = try await world.manager.restoredState()
            #expect(again == nil)
        }
    }

    @Test
    func `a service that the platform does not take again is told, and is not restored the next time`() async throws {
        let store = MemoryRestorationStore()
        try await Self.killed(store)
        try await PeripheralWorld.run(state: nil, restoring: store) { world in
            let failures = await world.recorder(world.manager.registrationFailures())
            let first = try #require(try await world.manager.restoredState()?.services.first)
            await world.emit(.stateChanged(.poweredOn, nil))
            await world.refuse()
            await world.backend.answerAll(true)
            await world.answer()
            #expect(failures.all.map(\.subject) == [.service(first)])
            #expect(world.manager.services.map(\.uuid) == ["1802"])
            #expect(world.manager.isAdvertising)
            store.closeAll()
        }
        try await PeripheralWorld.run(state: nil, restoring: store) { world in
            let restored = try await world.manager.restoredState()
            #expect(restored?.services.map(\.uuid) == ["1802"])
        }
    }

    @Test func `there is nothing to restore after a program that took everything back`() async throws {
        let store = MemoryRestorationStore()
        try await Self.killed(store)
        try await PeripheralWorld.run(state: nil, restoring: store) { world in await world.manager.invalidate() }
        try await PeripheralWorld.run(state: nil, restoring: store) { world in
            let restored = try await world.manager.restoredState()
            #expect(restored == nil)
        }
    }
}
