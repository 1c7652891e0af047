// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: services that include others", .timeLimit(.minutes(60)))
struct PeripheralIncludingTests {
    private let inner = MutableService(uuid: "180A", isPrimary: false)
    private let outer = MutableService(uuid: "180F")

    init() { outer.includedServices = [inner] }

    @Test func `a service is not removed before the one that includes it, and both stay`() async throws {
        try await PeripheralWorld.run { world in
            try await world.add(inner)
            try await world.add(outer)
            let early = await world.start { try await world.manager.remove(inner) }
            #expect(early.error as? PeripheralManagerError == .includedByService("180F"))
            #expect(inner.isAdded)
            #expect(world.manager.services == [inner, outer])
            #expect(await world.backend.summary() == ["add 180A", "add 180F"])
            let last = await world.start { try await world.manager.remove(outer) }
            await world.answer()
            #expect(last.value != nil)
            let first = await world.start { try await world.manager.remove(inner) }
            await world.answer()
            #expect(first.value != nil)
            #expect(world.manager.services.isEmpty)
        }
    }

    @Test func `a service can be removed while the removal of the one that includes it is under way`() async throws {
        try await PeripheralWorld.run { world in
            try await world.add(inner)
            try await world.add(outer)
            let last = await world.start { try await world.manager.remove(outer) }
            let first = await world.start { try await world.manager.remove(inner) }
            await world.answer()
            await world.answer()
            #expect(last.value != nil)
            #expect(first.value != nil)
        }
    }

    @Test func `what the service object includes now does not count, only what it was added with`() async throws {
        try await PeripheralWorld.run { world in
            try await world.add(inner)
            try await world.add(outer)
            outer.includedServices = []
            let early = await world.start { try await world.manager.remove(inner) }
            #expect(early.error as? PeripheralManagerError == .includedByService("180F"))
        }
    }

    @Test func `all services are removed, those that include others first`() async throws {
        try await PeripheralWorld.run { world in
            try await world.add(inner)
            try await world.add(outer)
            await world.backend.answerAll(true)
            let call = await world.start { try await world.manager.removeAllServices() }
            #expect(call.value != nil)
            #expect(world.manager.services.isEmpty)
        }
    }

    @Test
    func `a service is not added when one that it includes was given up meanwhile, and the platform keeps neither`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let first = await world.start { try await world.manager.add(inner, timeout: .seconds(1)) }
            let second = await world.start { try await world.manager.add(outer) }
            await world.advance(by: .seconds(1))
            #expect(first.error as? PeripheralManagerError == .addServiceTimeout)
            #expect(second.error as? PeripheralManagerError == .includedServiceNotAdded("180A"))
            #expect(!outer.isAdded)
            await world.backend.answerAll(true)
            while await !world.backend.pending.isEmpty { await world.answer() }
            let removals = await world.backend.operations.count { if case .remove = $0 { true } else { false } }
            let additions = await world.backend.operations.count { if case .add = $0 { true } else { false } }
            #expect(removals == additions)
            #expect(world.manager.services.isEmpty)
        }
    }

    @Test
    func `where an included service cannot be restored, the end of the one that includes it is told, too`() async throws
    {
        try await PeripheralWorld.run { world in
            let failures = await world.recorder(world.manager.registrationFailures())
            try await world.add(inner)
            try await world.add(outer)
            await world.cyclePower(forgetting: true)
            await world.refuse()
            while await !world.backend.pending.isEmpty { await world.refuse() }
            #expect(Set(failures.all.map(\.subject)) == [.service(inner), .service(outer)])
            let error = failures.all.first { $0.subject == .service(outer) }?.error
            #expect(error == .includedServiceNotAdded("180A"))
            #expect(world.manager.services.isEmpty)
            #expect(!outer.isAdded)
        }
    }
}
