// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: services", .timeLimit(.minutes(60)))
struct PeripheralServiceTests {
    static func service(_ uuid: BluetoothUUID = "180F", _ characteristics: MutableCharacteristic...) -> MutableService {
        let service = MutableService(uuid: uuid)
        service.characteristics = characteristics
        return service
    }

    @Test func `a service is offered with all that it has, and counts when the platform has it`() async throws {
        try await PeripheralWorld.run { world in
            let descriptor = MutableDescriptor(uuid: "2901", value: [0x61])
            let level = MutableCharacteristic(uuid: "2A19", properties: [.read, .notify], permissions: .readable)
            level.descriptors = [descriptor]
            level.usesWriteSocket = true
            let service = Self.service("180F", level, MutableCharacteristic(uuid: "2A1A"))
            let call = await world.start { try await world.manager.add(service) }
            #expect(!call.isDone)
            #expect(service.isAdded)
            #expect(world.manager.services.isEmpty)
            guard case .add(let local)? = await world.backend.pending.first else {
                Issue.record("nothing was added")
                return
            }
            #expect(local.uuid == "180F")
            #expect(local.isPrimary)
            #expect(local.characteristics.map(\.uuid) == ["2A19", "2A1A"])
            #expect(local.characteristics[0].properties == [.read, .notify])
            #expect(local.characteristics[0].permissions == .readable)
            #expect(local.characteristics[0].descriptors.map(\.uuid) == ["2901"])
            #expect(local.characteristics[0].descriptors.map(\.value) == [[0x61]])
            #expect(local.characteristics.map(\.usesWriteSocket) == [true, false])
            let numbers = [local.id] + local.characteristics.flatMap { [$0.id] + $0.descriptors.map(\.id) }
            #expect(Set(numbers).count == 4)
            await world.answer()
            #expect(call.value != nil)
            #expect(world.manager.services == [service])
            #expect(world.manager.characteristics == service.characteristics)
            #expect(world.manager.services(withUUID: "180F") == [service])
            #expect(world.manager.characteristics(withUUID: "2A19") == [level])
            #expect(level.service == service)
        }
    }

    @Test
    func `a service that is refused is not added, keeps its values, and others of its UUID stay`() async throws {
        try await PeripheralWorld.run { world in
            let first = Self.service("180F")
            try await world.add(first)
            let characteristic = MutableCharacteristic(uuid: "2A19", value: [1])
            let second = Self.service("180F", characteristic)
            let call = await world.start { try await world.manager.add(second) }
            await world.refuse()
            #expect(call.error as? PeripheralManagerError == .backend(.refused))
            #expect(world.manager.services(withUUID: "180F") == [first])
            #expect(!second.isAdded)
            #expect(characteristic.value == [1])
            try await world.add(second)
            #expect(world.manager.services(withUUID: "180F") == [first, second])
        }
    }

    @Test func `a service is added once at a time`() async throws {
        try await PeripheralWorld.run { world in
            let service = Self.service()
            let first = await world.start { try await world.manager.add(service) }
            let during = await world.start { try await world.manager.add(service) }
            #expect(during.error as? PeripheralManagerError == .alreadyAdded("180F"))
            await world.answer()
            let after = await world.start { try await world.manager.add(service) }
            #expect(after.error as? PeripheralManagerError == .alreadyAdded("180F"))
            #expect(first.value != nil)
            #expect(world.manager.services == [service])
        }
    }

    @Test func `a characteristic is in one added service only, and the refusal takes nothing else`() async throws {
        try await PeripheralWorld.run { world in
            let shared = MutableCharacteristic(uuid: "2A19")
            let other = MutableCharacteristic(uuid: "2A1A")
            try await world.add(Self.service("180F", shared))
            let second = Self.service("1810", other, shared)
            let call = await world.start { try await world.manager.add(second) }
            #expect(call.error as? PeripheralManagerError == .alreadyAdded("2A19"))
            #expect(!second.isAdded)
            #expect(shared.registration != nil)
            try await world.add(Self.service("1811", other))
            let doubled = await world.start {
                let characteristic = MutableCharacteristic(uuid: "2A1B")
                try await world.manager.add(Self.service("1812", characteristic, characteristic))
            }
            #expect(doubled.error as? PeripheralManagerError == .alreadyAdded("2A1B"))
        }
    }

    @Test func `an included service has to be added before, and is named by its number`() async throws {
        try await PeripheralWorld.run { world in
            let inner = MutableService(uuid: "180A", isPrimary: false)
            let outer = Self.service("180F")
            outer.includedServices = [inner]
            let early = await world.start { try await world.manager.add(outer) }
            #expect(early.error as? PeripheralManagerError == .includedServiceNotAdded("180A"))
            try await world.add(inner)
            try await world.add(outer)
            let operations = await world.backend.operations
            guard case .add(let first) = operations[0], case .add(let second) = operations[1] else {
                Issue.record("not two additions")
                return
            }
            #expect(!first.isPrimary)
            #expect(second.includedServices == [first.id])
        }
    }

    @Test func `additions and removals go to the platform one at a time, in the order of the calls`() async throws {
        try await PeripheralWorld.run { world in
            let first = Self.service("1801")
            let one = await world.start { try await world.manager.add(first) }
            let two = await world.start { try await world.manager.add(Self.service("1802")) }
            #expect(await world.backend.pending.map(\.summary) == ["add 1801"])
            await world.answer()
            #expect(one.isDone)
            #expect(await world.backend.pending.map(\.summary) == ["add 1802"])
            let three = await world.start { try await world.manager.remove(first) }
            #expect(await world.backend.pending.count == 1)
            await world.answer()
            await world.answer()
            #expect(two.isDone)
            #expect(three.isDone)
            #expect(await world.backend.summary() == ["add 1801", "add 1802", "remove"])
        }
    }

    @Test
    func `an addition that takes too long, or is cancelled, is taken back when the platform answers`() async throws {
        try await PeripheralWorld.run { world in
            let service = Self.service()
            let timed = await world.start { try await world.manager.add(service, timeout: .seconds(3)) }
            await world.advance(by: .milliseconds(2999))
            #expect(!timed.isDone)
            await world.advance(by: .milliseconds(1))
            #expect(timed.error as? PeripheralManagerError == .addServiceTimeout)
            #expect(!service.isAdded)
            await world.answer()
            #expect(await world.backend.summary() == ["add 180F", "remove"])
            await world.answer()
            let cancelled = await world.start { try await world.manager.add(service) }
            await world.cancel(cancelled)
            #expect(cancelled.error as? PeripheralManagerError == .cancelled)
            await world.answer()
            await world.answer()
            #expect(await world.backend.summary(from: 2) == ["add 180F", "remove"])
            #expect(world.manager.services.isEmpty)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `a service that is removed while it is being added is not offered`() async throws {
        try await PeripheralWorld.run { world in
            let service = Self.service()
            let add = await world.start { try await world.manager.add(service) }
            let remove = await world.start { try await world.manager.remove(service) }
            #expect(add.error as? PeripheralManagerError == .removed)
            await world.answer()
            #expect(!remove.isDone)
            await world.answer()
            #expect(remove.value != nil)
            #expect(await world.backend.summary() == ["add 180F", "remove"])
        }
    }

    @Test func `a service that is removed while it is being refused is gone without an error`() async throws {
        try await PeripheralWorld.run { world in
            let service = Self.service()
            let add = await world.start { try await world.manager.add(service) }
            let remove = await world.start { try await world.manager.remove(service) }
            #expect(add.error as? PeripheralManagerError == .removed)
            await world.refuse()
            await world.refuse()
            #expect(remove.value != nil)
        }
    }

    @Test
    func `removing ends the service's subscriptions and requests at once, and frees it for another addition`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [1])
            let service = try #require(characteristic.service)
            let events = await world.recorder(world.manager.subscriptions())
            let requests = await world.recorder(characteristic.writeRequests())
            try await world.subscribe(to: characteristic)
            let access = try await world.write([2], to: characteristic)
            let remove = await world.start { try await world.manager.remove(service) }
            #expect(events.all.map(\.kind) == [.subscribed, .unsubscribed])
            #expect(await world.answers(to: access) == [.failure(.unlikelyError)])
            #expect(requests.all.first?.accept() == false)
            #expect(characteristic.value == [1])
            #expect(world.manager.services.isEmpty)
            #expect(world.manager.characteristics.isEmpty)
            await world.answer()
            #expect(remove.value != nil)
            try await world.add(service)
            _ = try await world.write([3], to: characteristic)
            #expect(requests.all.map(\.value) == [[2], [3]])
        }
    }

    @Test
    func `removing what is not added does nothing; a refused or slow removal is told and the service is gone`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let never = await world.start { try await world.manager.remove(Self.service()) }
            #expect(never.value != nil)
            let service = Self.service()
            try await world.add(service)
            let refused = await world.start { try await world.manager.remove(service) }
            await world.refuse()
            #expect(refused.error as? PeripheralManagerError == .backend(.refused))
            #expect(world.manager.services.isEmpty)
            try await world.add(service)
            let slow = await world.start { try await world.manager.remove(service, timeout: .seconds(1)) }
            await world.advance(by: .seconds(1))
            #expect(slow.error as? PeripheralManagerError == .removeServiceTimeout)
            #expect(world.manager.services.isEmpty)
        }
    }

    @Test func `all services are removed, the last one first`() async throws {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            try await world.manager.add([Self.service("1801"), Self.service("1802")])
            try await world.manager.startAdvertising("a")
            let added = await world.backend.operations.compactMap { operation -> AttributeID? in
                if case .add(let local) = operation { local.id } else { nil }
            }
            try await world.manager.removeAllServices()
            let removed = await world.backend.operations.compactMap { operation -> AttributeID? in
                if case .remove(let id) = operation { id } else { nil }
            }
            #expect(removed == added.reversed())
            #expect(world.manager.services.isEmpty)
            #expect(world.manager.isAdvertising)
        }
    }

    @Test func `of several services none stays when one is refused`() async throws {
        try await PeripheralWorld.run { world in
            let call = await world.start {
                try await world.manager.add([Self.service("1801"), Self.service("1802")])
            }
            await world.answer()
            await world.refuse()
            #expect(call.error as? PeripheralManagerError == .backend(.refused))
            #expect(world.manager.services.isEmpty)
            #expect(await world.backend.summary() == ["add 1801", "add 1802", "remove"])
        }
    }

    @Test func `what is set on an added service counts from its next addition`() async throws {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            let old = MutableCharacteristic(uuid: "2A19")
            let new = MutableCharacteristic(uuid: "2A1A")
            let service = Self.service("180F", old)
            try await world.manager.add(service)
            service.characteristics = [new]
            #expect(world.manager.characteristics == [old])
            try await world.subscribe(to: old)
            try new.update([1])
            try old.update([2])
            await world.idle()
            #expect(await world.backend.sentValues == [[2]])
            try await world.manager.remove(service)
            try await world.manager.add(service)
            #expect(world.manager.characteristics == [new])
            try await world.subscribe(to: new)
            #expect(await world.backend.sentValues == [[2], [1]])
        }
    }

    @Test
    func `a service from a profile has its characteristics, with names, texts and initial values`() throws {
        var profile = ServiceProfile(uuid: "180F", name: "Battery")
        profile.addCharacteristic(
            CharacteristicProfile(
                uuid: "2A19", name: "Level", permissions: .readable, properties: [.read, .notify], initialValue: [0x64])
        )
        let service = MutableService(profile: profile)
        #expect(service.name == "Battery")
        #expect(service.characteristics.isEmpty)
        service.characteristicsFromProfiles()
        let level = try #require(service.characteristics.first)
        #expect(level.name == "Level")
        #expect(level.value == [0x64])
        #expect(level.stringValue == ["Level": "64"])
        #expect(level.properties == [.read, .notify])
        #expect(level.permissions == .readable)
        #expect(level.service == service)
        #expect(MutableService(uuid: "180F").name == "Unknown")
        #expect(MutableCharacteristic(uuid: "2A19").properties == [.read, .write, .notify])
    }
}
