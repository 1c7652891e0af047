import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe

/// The code of the article about beacons, and of the section about them in "The peripheral role", which is compiled only.
enum BeaconExamples {
    static let uuid: BluetoothUUID = "5AFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF5"

    static func rangeAndMonitor(_ central: CentralManager) async {
        let region = BeaconRegion(proximityUUID: uuid, identifier: "shop", major: 1)
        let manager = BeaconManager(central: central)
        for await beacons in manager.ranging(region) {
            guard let nearest = beacons.first else { continue }
            print(nearest.minor, nearest.proximity, nearest.accuracy ?? .nan)
        }

        var door = BeaconRegion(proximityUUID: uuid, identifier: "door")
        door.entryRSSI = -75
        door.exitDelay = .seconds(20)
        for await state in manager.monitoring(door) {
            print(state)
        }
    }

    static func beIBeacon(_ peripherals: PeripheralManager) async throws {
        let beacon = BeaconRegion(proximityUUID: uuid, identifier: "shop", major: 1, minor: 7)
        try await peripherals.startAdvertising(beacon, measuredPower: -59, timeout: .seconds(10))
    }

    static func emulate(with manager: PeripheralManager) async throws {
        let region = BeaconRegion(proximityUUID: uuid, identifier: "shop", major: 1, minor: 7)
        try await manager.startAdvertising(region, measuredPower: -59, timeout: .seconds(10))
    }

    static func readFrames(_ central: CentralManager) async throws {
        for try await discovery in central.scan(options: ScanOptions(allowsDuplicates: true)) {
            if case .url(_, let page) = Eddystone(discovery.advertisements) { print(page) }
            if let frame = AltBeacon(discovery.advertisements) { print(frame.identifier, frame.major, frame.minor) }
        }
    }

    static func sendFrame(_ peripherals: PeripheralManager) async throws {
        if let page = EddystoneURL("https://example.org/") {
            try await peripherals.startAdvertising(Eddystone.url(power: -18, page).advertisement)
        }
    }
}
