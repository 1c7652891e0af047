// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Resubscribing", .timeLimit(.minutes(60)))
struct ResubscribingTests {
    @Test func `a listener that resubscribes goes on after the next connection, on the same object`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let values = Recorder(try await NotifyingTests.listen(world, level, onDisconnect: .resubscribe), on: world)
            await world.lose(peripheral)
            try await world.connect(peripheral)
            let battery = Battery()
            await world.answer(.discoverServices(.one, [battery.service.uuid]), .services([battery.service]))
            await world.answer(
                .discoverCharacteristics(.one, service: battery.service.id, nil),
                .characteristics(battery.characteristics))
            await world.answer(NotifyingTests.on, .done)
            await world.emit(NotifyingTests.value([7]))
            #expect(values.all == [[7]])
            #expect(level.isNotifying)
        }
    }

    @Test(arguments: 0...2)
    func `a listener that resubscribes survives a link that is lost at any step of it`(_ steps: Int) async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let values = Recorder(try await NotifyingTests.listen(world, level, onDisconnect: .resubscribe), on: world)
            await world.lose(peripheral)
            let battery = Battery()
            for steps in [steps, 3] {
                try await world.connect(peripheral)
                if steps > 0 {
                    await world.answer(.discoverServices(.one, [battery.service.uuid]), .services([battery.service]))
                }
                if steps > 1 {
                    await world.answer(
                        .discoverCharacteristics(.one, service: battery.service.id, nil),
                        .characteristics(battery.characteristics))
                }
                if steps > 2 { break }
                await world.lose(peripheral)
                for operation in await world.backend.pending { _ = await world.backend.take(operation) }
                #expect(!values.hasEnded)
            }
            await world.answer(NotifyingTests.on, .done)
            await world.emit(NotifyingTests.value([7]))
            #expect(values.all == [[7]])
        }
    }

    @Test(arguments: 0...2)
    func `a listener whose service or characteristic is gone after the reconnection ends with that`(_ variant: Int)
        async throws
    {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let values = Recorder(try await NotifyingTests.listen(world, level, onDisconnect: .resubscribe), on: world)
            await world.lose(peripheral)
            try await world.connect(peripheral)
            let battery = Battery()
            await world.answer(
                .discoverServices(.one, [battery.service.uuid]), .services(variant == 0 ? [] : [battery.service]))
            var other = battery.level
            other.uuid = "2A00"
            if variant > 0 {
                await world.answer(
                    .discoverCharacteristics(.one, service: battery.service.id, nil),
                    .characteristics(variant == 1 ? [battery.status] : [other]))
            }
            #expect(values.error as? CharacteristicError == .notDiscovered("2A19"))
            #expect(await world.backend.pending == [])
        }
    }

    // MARK: Included services

    private static let inner = DiscoveredService(id: AttributeID(handle: 0x30), uuid: "1812", isPrimary: false)
    private static let report = DiscoveredCharacteristic(
        id: AttributeID(handle: 0x32), uuid: "2A4D", properties: [.read, .notify])
    private static let reportsOn = CentralOperation.setNotifying(.one, report.id, true, .standard)

    /// A listener to a characteristic of an included service, over a link that was lost and is made again, up to the
    /// discovery of the included services.
    private static func resubscribing(_ world: World) async throws -> Recorder<Bytes> {
        let battery = Battery()
        let (peripheral, _) = try await world.level()
        let outer = try #require(peripheral.services.first)
        let including = CentralOperation.discoverIncludedServices(.one, service: outer.id, nil)
        let services = await world.start { try await outer.discoverIncludedServices() }
        await world.answer(including, .services([inner]))
        let service = try #require(try services.get().first)
        let characteristics = await world.start { try await service.discoverCharacteristics() }
        await world.answer(.discoverCharacteristics(.one, service: inner.id, nil), .characteristics([report]))
        let characteristic = try #require(try characteristics.get().first)
        let call = await world.start { try await characteristic.notifications(onDisconnect: .resubscribe) }
        await world.answer(reportsOn, .done)
        let values = Recorder(try call.get(), on: world)
        await world.lose(peripheral)
        try await world.connect(peripheral)
        let discovery = try #require(await world.backend.pending.first)
        guard case .discoverServices(.one, let asked?) = discovery else { throw CancellationError() }
        #expect(Set(asked) == [battery.service.uuid, inner.uuid])
        await world.answer(discovery, .services([battery.service]))
        #expect(await world.backend.pending == [including])
        return values
    }

    @Test func `a characteristic of an included service is found through the service that includes it`() async throws {
        try await World.run { world in
            let values = try await Self.resubscribing(world)
            let including = try #require(await world.backend.pending.first)
            await world.answer(including, .services([Self.inner]))
            await world.answer(
                .discoverCharacteristics(.one, service: Self.inner.id, nil), .characteristics([Self.report]))
            await world.answer(Self.reportsOn, .done)
            await world.emit(.valueChanged(.one, Self.report.id, [7]))
            #expect(values.all == [[7]])
        }
    }

    @Test func `a service that is not included any more ends its listeners`() async throws {
        try await World.run { world in
            let values = try await Self.resubscribing(world)
            let including = try #require(await world.backend.pending.first)
            await world.answer(including, .services([]))
            #expect(values.error as? CharacteristicError == .notDiscovered("2A4D"))
            #expect(await world.backend.pending == [])
        }
    }
}
