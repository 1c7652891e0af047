// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Bound of what is remembered", .timeLimit(.minutes(60)))
struct MemoryBoundTests {
    static func id(_ number: Int) -> PeerIdentifier { PeerIdentifier("AA:\(number)") }

    @Test
    func `no more peripherals are remembered than allowed; the longest unseen go first, the connected never`()
        async throws
    {
        try await World.run(maximumDiscoveredPeripherals: 4) { world in
            let connected = try await world.connect(.one)
            let scan = Recorder(world.central.scan(options: .init(lostAfter: nil)), on: world)
            await world.idle()
            for number in 0..<3 {
                await world.sight(Self.id(number))
                await world.advance(by: .seconds(1))
            }
            await world.sight(Self.id(0))
            await world.sight(Self.id(3))
            #expect(Set(world.central.peripherals.map(\.identifier)) == [.one, Self.id(0), Self.id(2), Self.id(3)])
            #expect(world.central.peripheral(withIdentifier: .one) === connected)
            #expect(scan.all.count == 4)
        }
    }

    @Test func `a scan remembers no more than its manager`() async throws {
        try await World.run(maximumDiscoveredPeripherals: 10) { world in
            let call = await world.start { try await world.central.firstDiscovery(for: ["180F"]) }
            let scan = Recorder(world.central.scan(options: .init(lostAfter: nil)), on: world)
            let losing = Recorder(world.central.scan(options: .init(lostAfter: .seconds(60))), on: world)
            await world.idle()
            for number in 0..<100 { await world.sight(Self.id(number)) }
            #expect(scan.all.count == 100)
            #expect(world.central.peripherals.count <= 10)
            // A scan remembers the peripherals that it has discovered and not reported as lost.
            #expect(losing.all.count { $0.kind == .discovered } == 100)
            #expect(losing.all.count { $0.kind == .lost } >= 90)
            // A scan without losses discovers again each peripheral that it does not remember.
            let forgotten = (0..<100).filter { world.central.peripheral(withIdentifier: Self.id($0)) == nil }
            #expect(forgotten.count >= 90)
            for number in forgotten { await world.sight(Self.id(number)) }
            #expect(scan.all.count == 100 + forgotten.count)
            #expect(scan.all.allSatisfy { $0.kind == .discovered })
            call.cancel()
        }
    }

    @Test func `a peripheral that somebody holds is the same object when it is sighted again`() async throws {
        try await World.run(maximumDiscoveredPeripherals: 4) { world in
            let scan = Recorder(world.central.discoveries(), on: world)
            let loop = Recorder(world.central.scan(), on: world)
            await world.idle()
            await world.sight(Self.id(0))
            await world.advance(by: .seconds(1))
            let held = try #require(world.central.peripheral(withIdentifier: Self.id(0)))
            for number in 1..<20 { await world.sight(Self.id(number)) }
            #expect(world.central.peripheral(withIdentifier: Self.id(0)) == nil)
            await world.sight(Self.id(0), name: "back")
            #expect(world.central.peripheral(withIdentifier: Self.id(0)) === held)
            #expect(held.name == "back")
            #expect(scan.all.last?.kind == .discovered)
            let call = await world.start { try await held.connect() }
            await world.emit(.connected(Self.id(0), maximumTransmissionUnit: nil))
            #expect(call.value != nil)
            loop.cancel()
        }
    }

    @Test func `a peripheral that was forgotten and is held still connects`() async throws {
        try await World.run(maximumDiscoveredPeripherals: 2) { world in
            let held = await world.meet(Self.id(0))
            await world.advance(by: .seconds(1))
            for number in 1..<5 { _ = await world.meet(Self.id(number)) }
            #expect(world.central.peripheral(withIdentifier: Self.id(0)) == nil)
            try await world.connect(held)
            #expect(held.isConnected)
            #expect(world.central.peripheral(withIdentifier: Self.id(0)) === held)
        }
    }

    @Test func `a peripheral that was removed is discovered again by a scan that goes on`() async throws {
        try await World.run { world in
            let scan = Recorder(world.central.scan(), on: world)
            await world.idle()
            await world.sight()
            await world.central.removePeripheral(withIdentifier: .one)
            #expect(world.central.peripherals.isEmpty)
            await world.sight()
            #expect(scan.all.map(\.kind) == [.discovered, .discovered])
        }
    }
}
