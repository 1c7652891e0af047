// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("A beacon manager", .timeLimit(.minutes(60)))
struct BeaconManagerTests {
    static let uuid: BluetoothUUID = "B9407F30-F5F8-466E-AFF9-25556B57FE6D"
    static let region = BeaconRegion(proximityUUID: uuid, identifier: "shop")

    /// A beacon on a virtual radio.
    static func beacon(_ minor: UInt16, _ proximity: VirtualProximity) -> VirtualPeripheral {
        let frame = IBeacon(proximityUUID: uuid, major: 1, minor: minor, measuredPower: -59)
        return VirtualPeripheral(
            name: "Beacon \(minor)", proximity: proximity,
            advertising: VirtualAdvertising(
                data: PeripheralAdvertisements(manufacturerData: [IBeacon.company: SerDe.serialize(frame)]),
                isConnectable: false))
    }

    static func run(_ body: @escaping @Sendable (VirtualRadio, BeaconManager) async throws -> Void) async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let central = CentralManager(backend: radio.central())
            try await body(radio, BeaconManager(central: central))
            await central.invalidate()
        }
    }

    @Test func `ranges beacons nearest first, with distance and proximity`() async throws {
        try await Self.run { radio, manager in
            radio.add(Self.beacon(1, .rssi(-79)))
            radio.add(Self.beacon(2, .rssi(-50)))
            let both = try #require(await manager.ranging(Self.region).first { $0.count == 2 })
            #expect(both.map(\.minor) == [2, 1])
            #expect(both.map(\.proximity) == [.immediate, .far])
            // −79 dBm at −59 dBm a metre is 20 dB, ten metres; the noise is two dB.
            let distance = try #require(both[1].accuracy)
            #expect((5...20).contains(distance))
        }
    }

    @Test func `ranges beacons that print as one line`() async throws {
        try await Self.run { radio, manager in
            radio.add(Self.beacon(2, .rssi(-40)))
            let beacon = try #require(await manager.ranging(Self.region).first { !$0.isEmpty }?.first)
            let text = "\(beacon)"
            #expect(text.hasPrefix("iBeacon \(Self.uuid), major 1, minor 2, immediate (0."), "\(text)")
            #expect(text.hasSuffix(" m)"), "\(text)")
        }
    }

    @Test func `leaves a number out that its device has not sent for ten seconds`() async throws {
        try await Self.run { radio, manager in
            let device = Self.beacon(1, .near)
            radio.add(device)
            async let ranged = manager.ranging(Self.region).prefix { !$0.contains { $0.minor == 100 } }
                .reduce(into: []) { $0.append($1.count) }
            for minor in 2...100 as ClosedRange<UInt16> {
                try await radio.clock.sleep(for: .seconds(1))
                device.changeAdvertisement(to: Self.beacon(minor, .near).advertising)
            }
            #expect(try #require(await ranged.max()) <= 12)
        }
    }

    @Test func `ends a cancelled loop though beacons are heard faster than its body takes them`() async throws {
        try await Self.run { radio, manager in
            radio.add(Self.beacon(1, .near))
            async let taken = {
                var count = 0
                for await _ in manager.ranging(Self.region, every: .zero) {
                    count += 1
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    // Time in which the beacon is heard again and again, which a cancelled task cannot sleep through.
                    await withCheckedContinuation { passed in
                        _ = radio.clock.schedule(after: .seconds(1)) { passed.resume() }
                    }
                    if count == 100 { break }
                }
                return count
            }()
            let count = await taken
            #expect(count == 1)
        }
    }

    @Test func `leaves a beacon out ten seconds after it was last heard`() async throws {
        try await Self.run { radio, manager in
            let beacon = Self.beacon(1, .near)
            radio.add(beacon)
            var lists = manager.ranging(Self.region).makeAsyncIterator()
            #expect(await lists.next()?.count == 1)
            let start = radio.clock.elapsed
            radio.remove(beacon)
            while let list = await lists.next(), !list.isEmpty {}
            #expect((.seconds(9)...(.seconds(11))).contains(radio.clock.elapsed - start))
        }
    }

    @Test func `smooths the signal strength over noise`() async throws {
        try await Self.run { radio, manager in
            radio.add(Self.beacon(1, .rssi(-70)))
            var lists = manager.ranging(Self.region).makeAsyncIterator()
            var values: [Double] = []
            for _ in 0..<20 { values.append(try #require(await lists.next()?.first?.rssi)) }
            #expect(values.dropFirst(3).allSatisfy { abs($0 + 70) < 4 })
        }
    }

    @Test func `knows what it ranges and monitors until the streams are released`() async throws {
        try await Self.run { _, manager in
            do {
                let ranging = manager.ranging(Self.region)
                let monitoring = manager.monitoring(Self.region)
                #expect(manager.isRanging("shop"))
                #expect(manager.isMonitoring("shop"))
                #expect(manager.regions == [Self.region])
                withExtendedLifetime((ranging, monitoring)) {}
            }
            #expect(!manager.isRanging)
            #expect(!manager.isMonitoring)
        }
    }
}
