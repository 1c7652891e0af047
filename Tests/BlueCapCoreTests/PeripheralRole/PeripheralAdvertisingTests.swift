// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: advertising", .timeLimit(.minutes(60)))
struct PeripheralAdvertisingTests {
    static let long = Advertisement(localName: "0123456789ab")

    static func named(_ name: String) -> Advertisement { Advertisement(localName: name) }

    @Test func `an advertisement with a name and services goes on the air and comes off it`() async throws {
        try await PeripheralWorld.run { world in
            let start = await world.start { try await world.manager.startAdvertising("a", serviceUUIDs: ["180F"]) }
            #expect(!world.manager.isAdvertising)
            guard case .advertise(let id, let advertisement)? = await world.backend.pending.first else {
                Issue.record("nothing was advertised")
                return
            }
            #expect(advertisement == Advertisement(localName: "a", serviceUUIDs: ["180F"]))
            await world.answer()
            #expect(start.value != nil)
            #expect(world.manager.isAdvertising)
            let stop = await world.start { try await world.manager.stopAdvertising() }
            #expect(await world.backend.pending == [.stopAdvertising(id)])
            #expect(!stop.isDone)
            await world.answer()
            #expect(stop.value != nil)
            #expect(!world.manager.isAdvertising)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `what the platform says beforehand that it cannot send is refused before it is asked`() async throws {
        try await PeripheralWorld.run { world in
            let refusal = PeripheralManagerError.advertisingOptionNotSupported(.manufacturerData)
            let beacon = Advertisement(manufacturerData: [0xffff: [1]])
            let start = await world.start { try await world.manager.startAdvertising(beacon) }
            #expect(start.error as? PeripheralManagerError == refusal)
            #expect(await world.backend.operations.isEmpty)
            await world.backend.answerAll(true)
            try await world.manager.startAdvertising("a")
            let change = await world.start { try await world.manager.updateAdvertisement(beacon) }
            #expect(change.error as? PeripheralManagerError == refusal)
            #expect(await world.backend.operations.count == 1)
        }
    }

    @Test func `a second advertisement is refused while one is on the air`() async throws {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            try await world.manager.startAdvertising("a")
            let same = await world.start { try await world.manager.startAdvertising("a") }
            #expect(same.error as? PeripheralManagerError == .isAdvertising)
            let other = await world.start { try await world.manager.startAdvertising("b") }
            #expect(other.error as? PeripheralManagerError == .isAdvertising)
            #expect(await world.backend.operations.count == 1)
        }
    }

    @Test
    func `a call with the same advertisement as one under way shares its result; another is refused`() async throws {
        try await PeripheralWorld.run { world in
            let first = await world.start { try await world.manager.startAdvertising("a") }
            let second = await world.start { try await world.manager.startAdvertising("a") }
            let other = await world.start { try await world.manager.startAdvertising("b") }
            #expect(other.error as? PeripheralManagerError == .isAdvertising)
            await world.refuse()
            #expect(first.error as? PeripheralManagerError == .backend(.refused))
            #expect(second.error as? PeripheralManagerError == .backend(.refused))
            let again = await world.start { try await world.manager.startAdvertising("b") }
            await world.answer()
            #expect(again.value != nil)
        }
    }

    @Test func `a change of an advertisement whose caller gives up ends as removed, and not with its reason`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let start = await world.start { try await world.manager.startAdvertising("a") }
            let change = await world.start {
                try await world.manager.updateAdvertisement(Advertisement(localName: "b"))
            }
            await world.cancel(start)
            #expect(start.error as? PeripheralManagerError == .cancelled)
            #expect(change.error as? PeripheralManagerError == .removed)
        }
    }

    @Test func `a caller that gives up leaves the others' advertisement; the last one takes it back`() async throws {
        try await PeripheralWorld.run { world in
            let first = await world.start { try await world.manager.startAdvertising("a", timeout: .seconds(1)) }
            let second = await world.start { try await world.manager.startAdvertising("a") }
            await world.advance(by: .seconds(1))
            #expect(first.error as? PeripheralManagerError == .startAdvertisingTimeout)
            #expect(!second.isDone)
            await world.cancel(second)
            #expect(second.error as? PeripheralManagerError == .cancelled)
            await world.answer()
            #expect(await world.backend.summary() == ["advertise a", "stop"])
            await world.answer()
            #expect(!world.manager.isAdvertising)
        }
    }

    @Test
    func `an advertisement that is too long is refused with the number of bytes, before the platform is asked`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let error = PeripheralManagerError.advertisementTooLong(excess: 2)
            let start = await world.start { try await world.manager.startAdvertising(Self.long) }
            #expect(start.error as? PeripheralManagerError == error)
            let further = await world.start { _ = try await world.manager.advertise(Self.long) }
            #expect(further.error as? PeripheralManagerError == error)
            #expect(await world.backend.operations.isEmpty)
            await world.backend.answerAll(true)
            try await world.manager.startAdvertising("a")
            let change = await world.start { try await world.manager.updateAdvertisement(Self.long) }
            #expect(change.error as? PeripheralManagerError == error)
            #expect(await world.backend.summary() == ["advertise a"])
        }
    }

    @Test
    func `stopping returns at once when nothing is advertised, and throws when it takes too long`() async throws {
        try await PeripheralWorld.run { world in
            let idle = await world.start { try await world.manager.stopAdvertising() }
            #expect(idle.value != nil)
            let start = await world.start { try await world.manager.startAdvertising("a") }
            await world.answer()
            #expect(start.isDone)
            let stop = await world.start { try await world.manager.stopAdvertising() }
            await world.advance(by: .milliseconds(9999))
            #expect(!stop.isDone)
            await world.advance(by: .milliseconds(1))
            #expect(stop.error as? PeripheralManagerError == .stopAdvertisingTimeout)
            #expect(world.manager.isAdvertising)
            await world.answer()
            #expect(!world.manager.isAdvertising)
        }
    }

    @Test
    func `an advertisement that is stopped before it is on the air fails its caller and does not stay`() async throws {
        try await PeripheralWorld.run { world in
            let start = await world.start { try await world.manager.startAdvertising("a") }
            let stop = await world.start { try await world.manager.stopAdvertising() }
            #expect(start.error as? PeripheralManagerError == .removed)
            let next = await world.start { try await world.manager.startAdvertising("b") }
            await world.answer()
            await world.answer()
            #expect(stop.value != nil)
            await world.answer()
            #expect(next.value != nil)
            #expect(await world.backend.summary() == ["advertise a", "stop", "advertise b"])
        }
    }

    @Test
    func `a stop that the platform refuses is told, and nothing is advertised as far as the manager goes`() async throws
    {
        try await PeripheralWorld.run { world in
            let start = await world.start { try await world.manager.startAdvertising("a") }
            await world.answer()
            #expect(start.isDone)
            let stop = await world.start { try await world.manager.stopAdvertising() }
            await world.refuse()
            #expect(stop.error as? PeripheralManagerError == .backend(.refused))
            #expect(!world.manager.isAdvertising)
        }
    }

    @Test
    func `a change goes out while the advertisement stays on the air; of changes that wait only the newest goes out`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let start = await world.start { try await world.manager.startAdvertising("a") }
            await world.answer()
            #expect(start.isDone)
            let first = await world.start { try await world.manager.updateAdvertisement(Self.named("b")) }
            let second = await world.start { try await world.manager.updateAdvertisement(Self.named("c")) }
            let third = await world.start { try await world.manager.updateAdvertisement(Self.named("d")) }
            #expect(world.manager.isAdvertising)
            await world.answer()
            #expect(first.value != nil)
            #expect(!second.isDone)
            await world.answer()
            #expect(second.value != nil)
            #expect(third.value != nil)
            #expect(await world.backend.summary() == ["advertise a", "change to b", "change to d"])
        }
    }

    @Test func `a change that is refused leaves what was said before, after a loss too`() async throws {
        try await PeripheralWorld.run { world in
            let start = await world.start { try await world.manager.startAdvertising("a") }
            await world.answer()
            #expect(start.isDone)
            let change = await world.start { try await world.manager.updateAdvertisement(Self.named("b")) }
            await world.refuse()
            #expect(change.error as? PeripheralManagerError == .backend(.refused))
            await world.cyclePower(forgetting: true)
            #expect(await world.backend.summary() == ["advertise a", "change to b", "advertise a"])
        }
    }

    @Test func `without an advertisement there is nothing to change`() async throws {
        try await PeripheralWorld.run { world in
            let call = await world.start { try await world.manager.updateAdvertisement(Self.named("b")) }
            #expect(call.error as? PeripheralManagerError == .notAdvertising)
        }
    }

    @Test
    func `several advertisements are on the air at once, each changed and stopped by its handle`() async throws {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            try await world.manager.startAdvertising("a")
            let second = try await world.manager.advertise(Self.named("b"))
            let third = try await world.manager.advertise(Self.named("c"))
            try await second.update(Self.named("d"))
            try await world.manager.stopAdvertising()
            #expect(second.isOnAir)
            #expect(world.manager.isAdvertising)
            try await second.stop()
            try await second.stop()
            #expect(!second.isOnAir)
            let late = await world.start { try await second.update(Self.named("e")) }
            #expect(late.error as? PeripheralManagerError == .notAdvertising)
            #expect(third.isOnAir)
            try await third.stop()
            #expect(!world.manager.isAdvertising)
            let expected = ["advertise a", "advertise b", "advertise c", "change to d", "stop", "stop", "stop"]
            #expect(await world.backend.summary() == expected)
        }
    }

    @Test func `where the platform sends one advertisement at a time, a further one is refused`() async throws {
        try await PeripheralWorld.run(features: []) { world in
            await world.backend.answerAll(true)
            let handle = try await world.manager.advertise(Self.named("a"))
            let further = await world.start { _ = try await world.manager.advertise(Self.named("b")) }
            #expect(further.error as? PeripheralManagerError == .severalAdvertisementsNotSupported)
            let main = await world.start { try await world.manager.startAdvertising("b") }
            #expect(main.error as? PeripheralManagerError == .isAdvertising)
            try await handle.stop()
            try await world.manager.startAdvertising("b")
            #expect(world.manager.isAdvertising)
        }
    }
}
