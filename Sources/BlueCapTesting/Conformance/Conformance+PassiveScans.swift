// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Scans that hear by patterns and send nothing.
    static let passiveScans: [Behaviour] = [
        passive("a passive scan finds the device that sends its pattern, and no other") { world, central in
            let (first, second) = (try await world.peer(0), try await world.peer(1))
            let wanted = try await first.advertising(beacon([1]))
            let other = try await second.advertising(beacon([1], company: 0x4321))
            let scan = central.scan(options: ScanOptions(lostAfter: nil, mode: .passive(patterns: [pattern])))
            try await withEventRecorder(of: scan) { sightings in
                let sighting = try await sightings.first { $0.peripheral.identifier == wanted }
                try expectEqual(sighting.kind, .discovered, "the first sighting")
                try expectEqual(sighting.advertisements.manufacturerData, [0x1234: [1]], "the manufacturer data")
                let rssi = try require(sighting.rssi, "the signal strength")
                try expect((-127...20).contains(rssi), "a signal strength of \(rssi) dBm is none")
                // The other one is heard from the moment on that it sends the pattern.
                let early = sightings.all.contains { $0.peripheral.identifier == other }
                try expect(!early, "a device without the pattern was reported")
                try await second.updateAdvertisement(advertisement([2]))
                try await sightings.first { $0.peripheral.identifier == other }
            }
        },
        passive("a passive scan finds by each of its patterns, at their places") { world, central in
            let patterns = [
                AdvertisingPattern(type: 0xFF, content: [7, 8], start: 3),
                AdvertisingPattern(type: 0xFF, content: [0x12, 9], start: 1),
            ]
            let first = try await world.peer(0).advertising(beacon([6, 7, 8]))
            let second = try await world.peer(1).advertising(beacon([9]))
            let scan = central.scan(options: ScanOptions(lostAfter: nil, mode: .passive(patterns: patterns)))
            try await withEventRecorder(of: scan) { sightings in
                try await sightings.wait { Set($0.map(\.peripheral.identifier)).isSuperset(of: [first, second]) }
            }
        },
        passive("a pattern of service data is found, or said to be none") { world, central in
            let data = PeripheralAdvertisements(serviceData: ["180F": [9, 1]])
            let identifier = try await world.peer(0).advertising(
                Twin(name: "Peer", advertisement: TwinAdvertisement(data: data)))
            let pattern = AdvertisingPattern(type: 0x16, content: [0x0F, 0x18, 9])
            let options = ScanOptions(lostAfter: nil, mode: .passive(patterns: [pattern]))
            if let reason = world.limit(.serviceDataPattern)?.error {
                try await expectThrows(for: [reason], "a passive scan for service data") {
                    for try await _ in central.scan(options: options) {}
                }
            } else {
                let found = try await central.firstDiscovery(options: options)
                try expectEqual(found.peripheral.identifier, identifier, "the device with the service data")
            }
        },
        passive("a passive scan takes as many patterns as it may have") { world, central in
            let identifier = try await world.peer(0).advertising(beacon([15]))
            let patterns = (0..<ScanMode.maximumPatternCount).map { number in
                AdvertisingPattern(type: 0xFF, content: [0x34, 0x12, UInt8(number)])
            }
            let options = ScanOptions(lostAfter: nil, mode: .passive(patterns: patterns))
            let found = try await central.firstDiscovery(options: options)
            try expectEqual(found.peripheral.identifier, identifier, "the device of the last pattern")
        },
        passive("a passive scan reports what its device changes, and its loss") { world, central in
            let peer = try await world.peer(0)
            let identifier = try await peer.advertising(beacon([1]))
            let options = ScanOptions(lostAfter: .seconds(5), mode: .passive(patterns: [pattern]))
            try await withEventRecorder(of: central.scan(options: options)) { sightings in
                try await sightings.first { $0.advertisements.manufacturerData == [0x1234: [1]] }
                try await peer.updateAdvertisement(advertisement([2]))
                let update = try await sightings.first { $0.advertisements.manufacturerData == [0x1234: [2]] }
                try expectEqual(update.kind, .updated, "the sighting after the change")
                try await peer.advertise(false)
                try await world.elapse(.seconds(6))
                let lost = try await sightings.first { $0.kind == .lost }
                try expectEqual(lost.peripheral.identifier, identifier, "who was lost")
            }
        },
        passive("a passive scan asks for no scan response") { world, central in
            let response = PeripheralAdvertisements(manufacturerData: [0xFFFF: [3]])
            let sent = TwinAdvertisement(data: advertisement([1]).data, scanResponse: response)
            let identifier = try await world.peer(0).advertising(Twin(name: "Peer", advertisement: sent))
            let options = ScanOptions(allowsDuplicates: true, lostAfter: nil, mode: .passive(patterns: [pattern]))
            try await withEventRecorder(of: central.scan(options: options)) { sightings in
                try await sightings.wait { $0.count { $0.peripheral.identifier == identifier } >= 5 }
                let heard = sightings.all.contains { $0.advertisements.manufacturerData[0xFFFF] != nil }
                try expect(!heard, "a passive scan has heard a scan response")
                _ = try await central.sight(identifier) { $0.advertisements.manufacturerData[0xFFFF] == [3] }
            }
        },
        passive("passive scans side by side hear their own, and another scan goes on beside them") { world, central in
            let first = try await world.peer(0).advertising(beacon([1]))
            let second = try await world.peer(1).advertising(beacon([2]))
            try await withEventRecorder(of: central.scan(options: passive(1))) { ones in
                try await withEventRecorder(of: central.scan(options: passive(2))) { twos in
                    try await ones.first { $0.peripheral.identifier == first }
                    try await twos.first { $0.peripheral.identifier == second }
                    try await withEventRecorder(of: central.scan()) { all in
                        try await all.wait { Set($0.map(\.peripheral.identifier)).isSuperset(of: [first, second]) }
                    }
                }
                try expectEqual(Set(ones.all.map(\.peripheral.identifier)), [first], "the devices of the first scan")
            }
        },
        passive("a passive scan ends with its loop, and the next one finds its devices anew") { world, central in
            let identifier = try await world.peer(0).advertising(beacon([1]))
            for round in 1...3 {
                let found = try await central.firstDiscovery(options: passive(1))
                try expectEqual(found.peripheral.identifier, identifier, "the device of round \(round)")
                try expectEqual(found.kind, .discovered, "the sighting of round \(round)")
                try await settle("the scan has ended") { !central.isScanning }
            }
        },
        passive("by its signal a device is found once it is strong, and lost once it is weak") { world, central in
            let peer = try await world.peer(0)
            let identifier = try await peer.configure(beacon([1]))
            try await peer.setRSSI(-90)
            try await peer.advertise(true)
            try await withEventRecorder(of: central.scan(options: near)) { sightings in
                let heard = try await central.firstDiscovery(options: passive(1))
                try expectEqual(heard.peripheral.identifier, identifier, "the device that is heard")
                try expectEqual(sightings.count, 0, "how often it was reported while it was weak")
                try await peer.setRSSI(-40)
                try await world.pass(until: { sightings.count > 0 })
                let found = try await sightings.first { $0.peripheral.identifier == identifier }
                try expectEqual(found.kind, .discovered, "the report of a strong signal")
                try await peer.setRSSI(-90)
                try await world.pass(until: { sightings.all.last?.kind == .lost })
                let lost = try await sightings.first { $0.kind == .lost }
                try expectEqual(lost.peripheral.identifier, identifier, "who was lost")
            }
        },
        passive("by its signal a device is lost once it is silent, and found again") { world, central in
            let peer = try await world.peer(0)
            let identifier = try await peer.configure(beacon([1]))
            try await peer.setRSSI(-40)
            try await peer.advertise(true)
            try await withEventRecorder(of: central.scan(options: near)) { sightings in
                try await world.pass(until: { sightings.count > 0 })
                try await peer.advertise(false)
                try await world.pass(until: { sightings.all.last?.kind == .lost })
                try await peer.advertise(true)
                try await world.pass(until: { sightings.all.last?.kind == .discovered })
                try expect(sightings.all.allSatisfy { $0.peripheral.identifier == identifier }, "there was another")
            }
        },
        passive("switching the adapter off ends a passive scan, and the next one hears again") { world, central in
            let identifier = try await world.peer(0).advertising(beacon([1]))
            try await withEventRecorder(of: central.scan(options: passive(1))) { sightings in
                try await sightings.first { $0.peripheral.identifier == identifier }
                try await world.setPower(false)
                let ended = await outcome { try await sightings.end() }
                try expectFailure(ended, CentralManagerError.poweredOff, "a passive scan when the adapter goes off")
            }
            try await world.setPower(true)
            try await central.whenPoweredOn()
            let found = try await central.firstDiscovery(options: passive(1))
            try expectEqual(found.peripheral.identifier, identifier, "the device after that")
        },
        Behaviour("a passive scan out of bounds is refused, and nothing is scanned for") { world in
            let central = try await world.makePoweredCentral()
            let strong = SignalThresholds(high: -60, low: -50)
            let slow = SignalThresholds(high: -60, highTime: .milliseconds(1_500), low: -70)
            let modes: [(ScanMode, ScanModeProblem)] = [
                (.passive(patterns: []), .patternCount),
                (.passive(patterns: Array(repeating: pattern, count: 17)), .patternCount),
                (.passive(patterns: [AdvertisingPattern(type: 0xFF, content: [])]), .patternLength),
                (.passive(patterns: [AdvertisingPattern(type: 0xFF, content: [1], start: 31)]), .patternLength),
                (.passive(patterns: [AdvertisingPattern(type: 0xFF, content: [1], start: -1)]), .patternLength),
                (.passive(patterns: [pattern], signal: strong), .signalStrength),
                (.passive(patterns: [pattern], signal: slow), .signalTime),
            ]
            for (mode, problem) in modes {
                try await expectThrows(CentralManagerError.invalidScanMode(problem), "\(mode)") {
                    for try await _ in central.scan(options: ScanOptions(mode: mode)) {}
                }
                try expect(!central.isScanning, "the manager scans")
            }
        },
    ]

    private static let pattern = AdvertisingPattern(type: 0xFF, content: [0x34, 0x12])

    /// A device found within two seconds at more than -60 dBm, and lost within three at less than -75.
    private static let near = ScanOptions(
        lostAfter: nil,
        mode: .passive(
            patterns: [pattern],
            signal: SignalThresholds(high: -60, highTime: .seconds(2), low: -75, lowTime: .seconds(3))))

    private static func passive(_ number: UInt8) -> ScanOptions {
        let pattern = AdvertisingPattern(type: 0xFF, content: [0x34, 0x12, number])
        return ScanOptions(lostAfter: nil, mode: .passive(patterns: [pattern]))
    }

    private static func advertisement(_ bytes: Bytes, company: UInt16 = 0x1234) -> TwinAdvertisement {
        TwinAdvertisement(data: PeripheralAdvertisements(manufacturerData: [company: bytes]))
    }

    private static func beacon(_ bytes: Bytes, company: UInt16 = 0x1234) -> Twin {
        Twin(name: "Peer", advertisement: advertisement(bytes, company: company))
    }

    /// A behaviour of a passive scan, or of its refusal where there is none.
    private static func passive(
        _ name: String, _ body: @escaping @Sendable (any ConformanceWorld, CentralManager) async throws -> Void
    ) -> Behaviour {
        Behaviour(name) { world in
            let central = try await world.makePoweredCentral()
            guard let reason = world.limit(.passiveScan)?.error else { return try await body(world, central) }
            try await expectThrows(for: [reason], "a passive scan") {
                for try await _ in central.scan(options: passive(1)) {}
            }
        }
    }
}

extension ConformanceWorld {
    /// Lets time pass, second by second, until a condition holds or half a minute has passed.
    fileprivate func pass(until isMet: @escaping () -> Bool) async throws {
        for _ in 0..<30 where !isMet() {
            // A world may wait for a timer before it passes time.
            async let sleep: Void = clock.sleep(for: .seconds(1))
            try await elapse(.seconds(1))
            try await sleep
        }
    }
}
