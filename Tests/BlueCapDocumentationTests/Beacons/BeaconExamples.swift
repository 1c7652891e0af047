// SPDX-License-Identifier: MIT

// What the article shows stands here as it stands there.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

/// The code of the article about beacons.
@Suite("The article about beacons", .timeLimit(.minutes(5)))
struct BeaconExamples {
    static let uuid: BluetoothUUID = "5AFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF5"

    @Test func `ranges beacons`() async throws {
        try await Lab.run { lab in
            let (uuid, printed) = (Self.uuid, Printed())
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let peripherals = lab.makePeripheralManager()
            try await peripherals.whenPoweredOn()
            let beacon = BeaconRegion(proximityUUID: uuid, identifier: "shop", major: 1, minor: 7)
            try await peripherals.startAdvertising(beacon, measuredPower: -59, timeout: .seconds(10))
            let central = try await lab.central()
            try await lab.ended(when: { printed.lines.count == 3 }, central) {
                let region = BeaconRegion(proximityUUID: uuid, identifier: "shop", major: 1)
                let manager = BeaconManager(central: central)
                for await beacons in manager.ranging(region) {
                    guard let nearest = beacons.first else { continue }
                    print(nearest.minor, nearest.proximity, nearest.accuracy ?? .nan)
                }
            }
            #expect(printed.lines.allSatisfy { $0.hasPrefix("7 ") })
        }
    }

    @Test func `monitors a region`() async throws {
        try await Lab.run { lab in
            let (uuid, printed) = (Self.uuid, Printed())
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let central = try await lab.central()
            let manager = BeaconManager(central: central)
            try await lab.ended(when: { printed.lines.count == 2 }, central) {
                var door = BeaconRegion(proximityUUID: uuid, identifier: "door")
                door.entryRSSI = -75
                door.exitDelay = .seconds(20)
                for await state in manager.monitoring(door) {
                    print(state)
                }
            }
            #expect(printed.lines == ["start", "outside"])
        }
    }

    @Test func `reads frames`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let peripherals = lab.makePeripheralManager()
            try await peripherals.whenPoweredOn()
            if let page = EddystoneURL("https://example.org/") {
                try await peripherals.startAdvertising(Eddystone.url(power: -18, page).advertisement)
            }
            let central = try await lab.central()
            await #expect(throws: CentralManagerError.invalidated) {
                try await lab.ended(when: { printed.lines.count == 2 }, central) {
                    for try await discovery in central.scan(options: ScanOptions(allowsDuplicates: true)) {
                        if case .url(_, let page) = Eddystone(discovery.advertisements) { print(page) }
                        if let frame = AltBeacon(discovery.advertisements) { print(frame.identifier, frame.major, frame.minor) }
                    }
                }
            }
            #expect(printed.lines == ["https://example.org/", "https://example.org/"])
        }
    }
}
