// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: losses and returns", .timeLimit(.minutes(60)))
struct PeripheralJournalTests {
    static let all = ["add 1801", "add 1802", "advertise a", "advertise b"]

    /// Two services and two advertisements, all with the platform.
    static func prepare(_ world: PeripheralWorld) async throws -> [MutableService] {
        await world.backend.answerAll(true)
        let services = [MutableService(uuid: "1801"), MutableService(uuid: "1802")]
        services[0].characteristics = [MutableCharacteristic(uuid: "2A19", value: [1])]
        try await world.manager.add(services)
        try await world.manager.startAdvertising("a")
        _ = try await world.manager.advertise(Advertisement(localName: "b"))
        #expect(await world.backend.summary() == all)
        return services
    }

    @Test func `what the platform keeps over an absence of power is not added again`() async throws {
        try await PeripheralWorld.run { world in
            let services = try await Self.prepare(world)
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(!world.manager.isAdvertising)
            #expect(world.manager.services == services)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(await world.backend.summary() == Self.all)
            #expect(world.manager.isAdvertising)
        }
    }

    @Test
    func `what the platform has forgotten is added and advertised again when it is on, under its numbers and in order`()
        async throws
    {
        try await PeripheralWorld.run { world in
            _ = try await Self.prepare(world)
            let before = await world.backend.operations
            await world.emit(.stateChanged(.resetting, nil))
            await world.emit(.registrationsLost)
            #expect(await world.backend.operations.count == before.count)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(await Array(world.backend.operations.dropFirst(4)) == before)
            #expect(world.manager.isAdvertising)
        }
    }

    @Test func `a platform that forgets while it is on is told again at once`() async throws {
        try await PeripheralWorld.run { world in
            let services = try await Self.prepare(world)
            let characteristic = services[0].characteristics[0]
            try await world.subscribe(to: characteristic)
            await world.emit(.registrationsLost)
            #expect(await world.backend.summary(from: 4) == Self.all)
            #expect(characteristic.subscribers.isEmpty)
        }
    }

    @Test func `advertisements wait until the services are there again`() async throws {
        try await PeripheralWorld.run { world in
            _ = try await Self.prepare(world)
            await world.backend.answerAll(false)
            await world.cyclePower(forgetting: true)
            #expect(await world.backend.pending.map(\.summary) == ["add 1801"])
            #expect(!world.manager.isAdvertising)
            await world.answer()
            #expect(await world.backend.pending.map(\.summary) == ["add 1802"])
            await world.answer()
            #expect(await world.backend.pending.map(\.summary) == ["advertise a"])
            await world.answer()
            await world.answer()
            #expect(await world.backend.summary(from: 4) == Self.all)
        }
    }

    @Test func `services and advertisements come back with what they say at that time`() async throws {
        try await PeripheralWorld.run { world in
            let services = try await Self.prepare(world)
            let characteristic = services[0].characteristics[0]
            try await world.manager.updateAdvertisement(Advertisement(localName: "c"))
            await world.emit(.stateChanged(.poweredOff, nil))
            characteristic.value = [2]
            await world.emit(.registrationsLost)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(await world.backend.summary(from: 5) == ["add 1801", "add 1802", "advertise c", "advertise b"])
            #expect(try await world.read(characteristic) == [.success([2])])
        }
    }

    @Test
    func `what is removed while the power is off is taken back when it is on, or not added again`() async throws {
        try await PeripheralWorld.run { world in
            let services = try await Self.prepare(world)
            await world.emit(.stateChanged(.poweredOff, nil))
            try await world.manager.remove(services[0])
            try await world.manager.stopAdvertising()
            #expect(world.manager.services == [services[1]])
            #expect(await world.backend.operations.count == 4)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(await world.backend.summary(from: 4) == ["remove", "stop"])
            await world.emit(.stateChanged(.poweredOff, nil))
            try await world.manager.remove(services[1])
            await world.emit(.registrationsLost)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(await world.backend.summary(from: 6) == ["advertise b"])
        }
    }

    @Test
    func `a service that cannot be added again is told, the rest is offered, values stay, and it can be added anew`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let services = try await Self.prepare(world)
            await world.backend.answerAll(false)
            await world.cyclePower(forgetting: true)
            await world.refuse()
            await world.answer()
            await world.refuse()
            await world.answer()
            #expect(await world.backend.summary(from: 4) == Self.all)
            #expect(world.manager.services == [services[1]])
            #expect(services[0].characteristics[0].value == [1])
            #expect(world.manager.isAdvertising)
            // The first consumer also gets the failures from before it came.
            let failures = await world.recorder(world.manager.registrationFailures())
            #expect(
                failures.all.map(\.subject) == [
                    .service(services[0]), .advertisement(Advertisement(localName: "a")),
                ])
            #expect(failures.all.map(\.error) == [.backend(.refused), .backend(.refused)])
            try await world.add(services[0])
            let again = await world.start { try await world.manager.startAdvertising("a") }
            await world.answer()
            #expect(again.value != nil)
        }
    }

    @Test
    func `an addition whose answer was lost with the power is taken back; one under way by itself is made anew`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let kept = MutableService(uuid: "1801")
            try await world.add(kept)
            await world.emit(.stateChanged(.poweredOff, nil))
            await world.emit(.registrationsLost)
            await world.emit(.stateChanged(.poweredOn, nil))
            let lost = await world.start { try await world.manager.add(MutableService(uuid: "1802")) }
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(lost.error as? PeripheralManagerError == .poweredOff)
            #expect(world.manager.services == [kept])
            await world.backend.answerAll(true)
            await world.emit(.stateChanged(.poweredOn, nil))
            // Both requests were under way or waiting: the platform may have either.
            #expect(await world.backend.summary() == ["add 1801", "add 1801", "remove", "remove", "add 1801"])
            #expect(world.manager.services == [kept])
        }
    }

    @Test func `subscriptions end with the power; updates wait for the next subscriber`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            characteristic.updatePolicy = .newest(1024)
            let events = await world.recorder(world.manager.subscriptions())
            try await world.subscribe(to: characteristic)
            try characteristic.update([1])
            try characteristic.update([2])
            await world.idle()
            #expect(await world.backend.sentValues == [[1]])
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(characteristic.subscribers.isEmpty)
            #expect(!characteristic.isUpdating)
            #expect(events.all.map(\.kind) == [.subscribed, .unsubscribed])
            try characteristic.update([3])
            #expect(characteristic.pendingUpdates == [[1], [2], [3]])
            await world.backend.answerAll(true)
            await world.emit(.stateChanged(.poweredOn, nil))
            try await world.subscribe(to: characteristic)
            #expect(await world.backend.sentValues == [[1], [1], [2], [3]])
            #expect(characteristic.pendingUpdates.isEmpty)
            #expect(characteristic.droppedCount == 0)
        }
    }

    @Test func `requests that wait for the app are over with the power`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [1])
            let requests = await world.recorder(characteristic.writeRequests())
            let access = try await world.write([2], to: characteristic)
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(requests.all.first?.accept() == false)
            #expect(await world.answers(to: access).isEmpty)
            #expect(characteristic.value == [1])
            #expect(world.clock.timerCount == 0)
        }
    }
}
