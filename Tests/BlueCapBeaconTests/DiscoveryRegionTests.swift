// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Monitoring what is no beacon", .timeLimit(.minutes(60)))
struct DiscoveryRegionTests {
    private typealias Beacons = BeaconManagerTests

    private static let keys = DiscoveryRegion("keys", entryRSSI: -60, exitDelay: .seconds(5)) {
        $0.peripheral.name == "Keys"
    }

    private static func device(_ name: String, _ rssi: Int) -> VirtualPeripheral {
        VirtualPeripheral(name: name, proximity: .rssi(rssi), services: [])
    }

    @Test func `what passes the test enters, and leaves an exit delay after it was heard last`() async throws {
        try await Beacons.run { radio, manager in
            var states = manager.monitoring(Self.keys).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .outside)
            let keys = Self.device("Keys", -40)
            radio.add(keys)
            #expect(await states.next() == .inside)
            let start = radio.clock.elapsed
            radio.remove(keys)
            #expect(await states.next() == .outside)
            #expect((.seconds(4)...(.seconds(5))).contains(radio.clock.elapsed - start))
        }
    }

    @Test func `what does not pass the test neither enters nor keeps what was entered`() async throws {
        try await Beacons.run { radio, manager in
            radio.add(Self.device("Lamp", -30))
            var states = manager.monitoring(Self.keys).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .outside)
            let keys = Self.device("Keys", -40)
            radio.add(keys)
            #expect(await states.next() == .inside)
            radio.remove(keys)
            #expect(await states.next() == .outside)
        }
    }

    @Test func `what is too weak does not enter`() async throws {
        try await Beacons.run { radio, manager in
            radio.add(Self.device("Keys", -80))
            var states = manager.monitoring(Self.keys).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .outside)
        }
    }

    @Test func `a beacon of another region does not enter`() async throws {
        try await Beacons.run { radio, manager in
            radio.add(Beacons.beacon(1, .near))
            let other = BeaconRegion(proximityUUID: Beacons.uuid, identifier: "other", major: 1, minor: 2)
            #expect(await manager.requestState(for: other) == .outside)
            #expect(await manager.requestState(for: Beacons.region) == .inside)
        }
    }

    @Test func `it is found and ended by its identifier, and is no region of beacons`() async throws {
        try await Beacons.run { radio, manager in
            radio.add(Self.device("Keys", -40))
            var states = manager.monitoring(Self.keys).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .inside)
            #expect(manager.isMonitoring("keys") && manager.isMonitoring && !manager.isRanging("keys"))
            #expect(manager.state("keys") == .inside)
            #expect(manager.monitoredRegions.isEmpty)
            manager.stopMonitoring("keys")
            #expect(await states.next() == nil)
            #expect(!manager.isMonitoring("keys"))
        }
    }

    @Test func `its state is found out without a stream`() async throws {
        try await Beacons.run { radio, manager in
            #expect(await manager.requestState(for: Self.keys) == .outside)
            radio.add(Self.device("Keys", -40))
            #expect(await manager.requestState(for: Self.keys) == .inside)
        }
    }
}
