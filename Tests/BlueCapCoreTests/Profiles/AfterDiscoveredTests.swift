// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("After a characteristic is discovered", .timeLimit(.minutes(60)))
struct AfterDiscoveredTests {
    static let profile = RawCharacteristicProfile<Sample.Enabled>()

    @Test func `a listener of a profile is given the characteristic with its UUID, and no other`() async throws {
        try await World.run { world in
            let found = Recorder(await Self.profile.afterDiscovered(by: world.central), on: world)
            let (_, level) = try await world.level()
            #expect(found.all == [level])
        }
    }

    @Test func `a listener that comes later is given what was discovered by then`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let found = Recorder(await world.central.discoveredCharacteristics(), on: world)
            await world.idle()
            #expect(found.all == [level, try peripheral.characteristic("2A1A")])
        }
    }

    @Test func `a characteristic of a connection that has ended is not given`() async throws {
        try await World.run { world in
            let (peripheral, _) = try await world.level()
            await world.lose(peripheral)
            let found = Recorder(await Self.profile.afterDiscovered(by: world.central), on: world)
            await world.idle()
            #expect(found.all == [])
        }
    }

    @Test func `it is given again when it is discovered after a reconnection`() async throws {
        try await World.run { world in
            let found = Recorder(await Self.profile.afterDiscovered(by: world.central), on: world)
            let (peripheral, level) = try await world.level()
            await world.lose(peripheral)
            try await world.connect(peripheral)
            try await world.discover(peripheral)
            #expect(found.all == [level, level])
        }
    }

    @Test func `a listener of one service is not given a characteristic of another`() async throws {
        try await World.run { world in
            let found = Recorder(await Self.profile.afterDiscovered(by: world.central, in: "180A"), on: world)
            let here = Recorder(await Self.profile.afterDiscovered(by: world.central, in: "180F"), on: world)
            let (_, level) = try await world.level()
            #expect(found.all == [])
            #expect(here.all == [level])
        }
    }

    @Test func `a slow listener loses the oldest that its capacity has no room for`() async throws {
        try await World.run { world in
            let stream = await world.central.discoveredCharacteristics(capacity: .newest(1))
            let (peripheral, _) = try await world.level()
            let found = Recorder(stream, on: world)
            await world.idle()
            #expect(found.all == [try peripheral.characteristic("2A1A")])
        }
    }

    @Test func `it ends when the manager is invalidated, and at once after that`() async throws {
        try await World.run { world in
            let found = Recorder(await Self.profile.afterDiscovered(by: world.central), on: world)
            let call = await world.start { await world.central.invalidate() }
            #expect(call.isDone)
            #expect(found.hasEnded)
            let late = Recorder(await Self.profile.afterDiscovered(by: world.central), on: world)
            await world.idle()
            #expect(late.hasEnded)
        }
    }
}
