// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Regions by their names", .timeLimit(.minutes(60)))
struct RegionControlTests {
    private typealias Beacons = BeaconManagerTests
    private static let other = BeaconRegion(proximityUUID: Beacons.uuid, identifier: "door", major: 2)

    @Test func `regions are looked up by their identifiers, and by what is done with them`() async throws {
        try await Beacons.run { _, manager in
            let ranged = manager.ranging(Beacons.region)
            let monitored = (manager.monitoring(Self.other), manager.monitoring(Self.other))
            #expect(manager.regions == [Beacons.region, Self.other])
            #expect(manager.rangedRegions == [Beacons.region])
            #expect(manager.monitoredRegions == [Self.other])
            #expect(manager.region(withIdentifier: "door") == Self.other)
            #expect(manager.region(withIdentifier: "yard") == nil)
            withExtendedLifetime((ranged, monitored)) {}
        }
    }

    @Test func `stopping a region ends its streams, and no others`() async throws {
        try await Beacons.run { radio, manager in
            radio.add(Beacons.beacon(1, .near))
            var shop = manager.ranging(Beacons.region).makeAsyncIterator()
            var door = manager.ranging(Self.other).makeAsyncIterator()
            var monitored = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await shop.next()?.count == 1)
            #expect(await monitored.next() == .start)
            manager.stopRanging("shop")
            #expect(!manager.isRanging("shop"))
            #expect(manager.isRanging("door"))
            #expect(manager.isMonitoring("shop"))
            while await shop.next() != nil {}
            #expect(await monitored.next() == .inside)
            manager.stopMonitoring("shop")
            #expect(!manager.isMonitoring)
            #expect(await monitored.next() == nil)
            manager.stopRanging("door")
            #expect(await door.next() == nil)
            #expect(manager.regions == [])
        }
    }

    @Test func `a loop that waits is ended by stopping its region`() async throws {
        try await Beacons.run { radio, manager in
            let (lists, states) = (manager.ranging(Beacons.region), manager.monitoring(Self.other))
            async let ranged = {
                var count = 0
                for await _ in lists { count += 1 }
                return count
            }()
            async let monitored = {
                var all: [RegionState] = []
                for await state in states { all.append(state) }
                return all
            }()
            try await radio.clock.sleep(for: .seconds(5))
            manager.stopRangingAllRegions()
            manager.stopMonitoringAllRegions()
            #expect(await ranged == 0)
            #expect(await monitored == [.start])
        }
    }

    @Test func `stopping all of a kind leaves the other kind`() async throws {
        try await Beacons.run { _, manager in
            let streams = (manager.ranging(Beacons.region), manager.rangingAllFamilies(), manager.ranging(Self.other))
            let states = (manager.monitoring(Beacons.region), manager.monitoring(Self.other))
            manager.stopMonitoringAllRegions()
            #expect(!manager.isMonitoring)
            #expect(manager.rangedRegions == [Beacons.region, Self.other])
            manager.stopRangingAllRegions()
            #expect(!manager.isRanging)
            withExtendedLifetime((streams, states)) {}
        }
    }

    @Test func `a region that was stopped is monitored again by a new stream`() async throws {
        try await Beacons.run { radio, manager in
            radio.add(Beacons.beacon(1, .near))
            let before = manager.monitoring(Beacons.region)
            manager.stopMonitoring("shop")
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .inside)
            #expect(manager.isMonitoring("shop"))
            withExtendedLifetime(before) {}
        }
    }

    // MARK: The state

    @Test func `the state of a monitored region is known without its stream being asked again`() async throws {
        try await Beacons.run { radio, manager in
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(manager.state("shop") == nil)
            #expect(await states.next() == .start)
            radio.add(Beacons.beacon(1, .near))
            try await radio.clock.sleep(for: .seconds(5))
            #expect(manager.state("shop") == .inside)
            #expect(manager.state("door") == nil)
            manager.stopMonitoring("shop")
            #expect(manager.state("shop") == nil)
        }
    }

    @Test func `a state that is asked for is found out, and monitors nothing after`() async throws {
        try await Beacons.run { radio, manager in
            let start = radio.clock.elapsed
            #expect(await manager.requestState(for: Beacons.region) == .outside)
            #expect(radio.clock.elapsed - start >= .seconds(30))
            radio.add(Beacons.beacon(1, .near))
            #expect(await manager.requestState(for: Beacons.region) == .inside)
            #expect(radio.clock.elapsed - start < .seconds(40))
            #expect(!manager.isMonitoring)
        }
    }

    @Test func `a state that monitoring knows is answered at once`() async throws {
        try await Beacons.run { radio, manager in
            var states = manager.monitoring(Beacons.region).makeAsyncIterator()
            #expect(await states.next() == .start)
            #expect(await states.next() == .outside)
            let start = radio.clock.elapsed
            #expect(await manager.requestState(for: Beacons.region) == .outside)
            #expect(radio.clock.elapsed == start)
        }
    }

    @Test func `a state that is asked for is unknown while the radio is off, and when it goes off`() async throws {
        try await Beacons.run { radio, manager in
            async let state = manager.requestState(for: Beacons.region)
            try await radio.clock.sleep(for: .seconds(5))
            radio.adapter().powerOff()
            #expect(await state == .unknown)
            #expect(await manager.requestState(for: Beacons.region) == .unknown)
        }
    }

    // MARK: All families

    @Test func `beacons of all families are ranged at once, each by its own frame`() async throws {
        try await Beacons.run { radio, manager in
            let yard: BluetoothUUID = "5AFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF5"
            radio.add(Beacons.beacon(1, .rssi(-50)))
            let frames: [Advertisement] = [
                IBeacon(proximityUUID: yard, major: 1, minor: 1, measuredPower: -59).advertisement,
                AltBeacon(company: 0x0118, identifier: yard, major: 1, minor: 1, measuredPower: -60).advertisement,
                Eddystone.uid(power: -18, namespace: Bytes(0..<10), instance: Bytes(10..<16)).advertisement,
                Eddystone.telemetry(
                    EddystoneTelemetry(batteryVoltage: 3000, rawTemperature: 0, advertisingCount: 1, uptime: 1)
                ).advertisement,
            ]
            for frame in frames {
                radio.add(
                    VirtualPeripheral(
                        name: "Other", proximity: .rssi(-70),
                        advertising: VirtualAdvertising(
                            data: PeripheralAdvertisements(
                                manufacturerData: frame.manufacturerData, serviceUUIDs: frame.serviceUUIDs,
                                serviceData: frame.serviceData),
                            isConnectable: false)))
            }
            let all = try #require(await manager.rangingAllFamilies().first { $0.count == 4 })
            #expect(all.first?.proximityUUID == Beacons.uuid)
            let others = Dictionary(grouping: all.dropFirst(), by: \.family).mapValues { $0.map(\.proximityUUID) }
            #expect(
                others == [
                    .iBeacon: [yard], .altBeacon: [yard],
                    .eddystoneUID: ["00010203-0405-0607-0809-0A0B0C0D0E0F"],
                ])
            #expect(all.first { $0.family == .eddystoneUID }?.measuredPower == -59)
            // Only the region's own iBeacon is one of the region.
            #expect(await manager.ranging(Beacons.region).first { !$0.isEmpty }?.map(\.minor) == [1])
        }
    }
}
