// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Monitoring a region", .timeLimit(.minutes(60)))
struct MonitoringTests {
    private typealias Beacons = BeaconManagerTests

    @Test func `monitoring tells the start, the entry and the exit of a region, each once`() async throws {
        try await Beacons.run { radio, manager in
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .outside)
            let beacon = Beacons.beacon(1, .near)
            radio.add(beacon)
            #expect(await states.next() == .inside)
            let start = radio.clock.elapsed
            radio.remove(beacon)
            #expect(await states.next() == .outside)
            #expect(radio.clock.elapsed - start >= .seconds(29))
        }
    }

    @Test func `a beacon that is too weak does not enter a region that asks for strength`() async throws {
        try await Beacons.run { radio, manager in
            var region = Beacons.region
            region.entryRSSI = -60
            region.exitDelay = .seconds(5)
            radio.add(Beacons.beacon(1, .rssi(-90)))
            var states = manager.monitoring(region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .outside)
            radio.add(Beacons.beacon(2, .rssi(-40)))
            #expect(await states.next() == .inside)
        }
    }

    @Test func `monitoring is unknown while the radio is off and goes on after`() async throws {
        try await Beacons.run { radio, manager in
            radio.add(Beacons.beacon(1, .near))
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .inside)
            radio.adapter().powerOff()
            #expect(await states.next() == .unknown)
            radio.adapter().powerOn()
            #expect(await states.next() == .inside)
        }
    }

    @Test func `a region is left though its beacon goes before the first exit delay has passed`() async throws {
        try await Beacons.run { radio, manager in
            let beacon = Beacons.beacon(1, .near)
            radio.add(beacon)
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .inside)
            try await radio.clock.sleep(for: .seconds(5))
            let start = radio.clock.elapsed
            radio.remove(beacon)
            #expect(await states.next() == .outside)
            #expect((.seconds(29)...(.seconds(30))).contains(radio.clock.elapsed - start))
        }
    }

    @Test(arguments: [5, 28, 95])
    func `a beacon that is back before the exit delay has passed does not leave`(seconds: Int) async throws {
        try await Beacons.run { radio, manager in
            let beacon = Beacons.beacon(1, .near)
            radio.add(beacon)
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .inside)
            try await radio.clock.sleep(for: .seconds(seconds))
            radio.remove(beacon)
            try await radio.clock.sleep(for: .seconds(28))
            radio.add(beacon)
            try await radio.clock.sleep(for: .seconds(10))
            let start = radio.clock.elapsed
            radio.remove(beacon)
            #expect(await states.next() == .outside)
            #expect((.seconds(29)...(.seconds(30))).contains(radio.clock.elapsed - start))
        }
    }

    @Test func `a region is entered and left as often as its beacon comes and goes`() async throws {
        try await Beacons.run { radio, manager in
            let beacon = Beacons.beacon(1, .near)
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            for _ in 0..<3 {
                #expect(await states.next() == .outside)
                radio.add(beacon)
                #expect(await states.next() == .inside)
                radio.remove(beacon)
            }
            #expect(await states.next() == .outside)
        }
    }

    @Test func `a slow loop is told that a beacon went and came back while it did something else`() async throws {
        try await Beacons.run { radio, manager in
            let beacon = Beacons.beacon(1, .near)
            radio.add(beacon)
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .inside)
            radio.remove(beacon)
            try await radio.clock.sleep(for: .seconds(60))
            radio.add(beacon)
            try await radio.clock.sleep(for: .seconds(60))
            #expect(await states.next() == .outside)
            #expect(await states.next() == .inside)
        }
    }

    @Test func `a region is left when its last beacon is, whichever came first`() async throws {
        try await Beacons.run { radio, manager in
            let beacons = [Beacons.beacon(1, .near), Beacons.beacon(2, .near)]
            for beacon in beacons { radio.add(beacon) }
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .inside)
            radio.remove(beacons[0])
            try await radio.clock.sleep(for: .seconds(40))
            let start = radio.clock.elapsed
            radio.remove(beacons[1])
            #expect(await states.next() == .outside)
            #expect((.seconds(29)...(.seconds(30))).contains(radio.clock.elapsed - start))
        }
    }

    @Test func `two regions with different delays are left each in its own time`() async throws {
        try await Beacons.run { radio, manager in
            let beacon = Beacons.beacon(1, .near)
            radio.add(beacon)
            var quick = BeaconRegion(proximityUUID: Beacons.uuid, identifier: "quick", major: 1)
            quick.exitDelay = .seconds(3)
            var first = manager.monitoring(quick).makeAsyncIterator()
            var second = manager.monitoring(Beacons.region).makeAsyncIterator()
            for expected in [RegionState.start, .inside] {
                #expect(await first.next() == expected)
                #expect(await second.next() == expected)
            }
            let start = radio.clock.elapsed
            radio.remove(beacon)
            #expect(await first.next() == .outside)
            #expect((.seconds(2)...(.seconds(3))).contains(radio.clock.elapsed - start))
            #expect(await second.next() == .outside)
            #expect((.seconds(29)...(.seconds(30))).contains(radio.clock.elapsed - start))
        }
    }

    @Test func `a device that goes on with other frames is no beacon any more`() async throws {
        try await Beacons.run { radio, manager in
            let beacon = Beacons.beacon(1, .near)
            radio.add(beacon)
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .inside)
            beacon.changeAdvertisement(
                to: VirtualAdvertising(data: PeripheralAdvertisements(localName: "lamp"), isConnectable: false))
            #expect(await states.next() == .outside)
        }
    }

    @Test func `what was left before the radio went off is unknown, then told anew`() async throws {
        try await Beacons.run { radio, manager in
            let beacon = Beacons.beacon(1, .near)
            radio.add(beacon)
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .inside)
            radio.remove(beacon)
            try await radio.clock.sleep(for: .seconds(20))
            radio.adapter().powerOff()
            #expect(await states.next() == .unknown)
            try await radio.clock.sleep(for: .seconds(100))
            radio.adapter().powerOn()
            let start = radio.clock.elapsed
            #expect(await states.next() == .outside)
            #expect(radio.clock.elapsed - start == .seconds(30))
        }
    }

    @Test func `a stream whose task is cancelled during the delay ends, and its scan with it`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let central = CentralManager(backend: radio.central())
            let manager = BeaconManager(central: central)
            let beacon = Beacons.beacon(1, .near)
            radio.add(beacon)
            let last = await withTaskGroup(of: RegionState?.self) { group in
                group.addTask {
                    var last: RegionState?
                    for await state in manager.monitoring(Beacons.region) { last = state }
                    return last
                }
                try? await radio.clock.sleep(for: .seconds(5))
                radio.remove(beacon)
                try? await radio.clock.sleep(for: .seconds(5))
                #expect(central.isScanning)
                group.cancelAll()
                return await group.next() ?? nil
            }
            #expect(last == .inside)
            #expect(!manager.isMonitoring)
            try await radio.clock.sleep(for: .seconds(1))
            #expect(!central.isScanning)
        }
    }

    @Test func `the stream ends when the platform fails for good`() async throws {
        try await Beacons.run { radio, manager in
            radio.add(Beacons.beacon(1, .near))
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .inside)
            radio.adapter().change(to: .unsupported)
            #expect(await states.next() == .unknown)
            #expect(await states.next() == nil)
        }
    }
}
