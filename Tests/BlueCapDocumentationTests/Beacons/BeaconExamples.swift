// SPDX-License-Identifier: MIT

// The code of the article, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Foundation
import Testing

/// The code of the article about beacons.
@Suite("The article about beacons", .timeLimit(.minutes(60)))
struct BeaconExamples {
    static let uuid: BluetoothUUID = "5AFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF5"

    @Test func `ranges beacons`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let peripherals = lab.makePeripheralManager()
            try await peripherals.whenPoweredOn()
            let uuid: BluetoothUUID = "5AFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF5"
            let beacon = BeaconRegion(proximityUUID: uuid, identifier: "shop", major: 1, minor: 7)
            try await peripherals.startAdvertising(beacon, measuredPower: -59, timeout: .seconds(10))
            let central = try await lab.central()
            try await lab.ended(when: { printed.lines.count == 3 }, central) {
                let uuid: BluetoothUUID = "5AFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF5"
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
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let central = try await lab.central()
            let manager = BeaconManager(central: central)
            try await lab.ended(when: { printed.lines.count == 2 }, central) {
                let uuid: BluetoothUUID = "5AFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFF5"
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

    @Test func `monitors anything by a test`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let central = try await lab.central()
            let manager = BeaconManager(central: central)
            lab.radio.add(VirtualPeripheral(name: "Keys", address: "C0:DE:00:00:01:01", proximity: .near, services: []))
            try await lab.ended(when: { printed.lines.count == 2 }, central) {
                let keys = DiscoveryRegion("keys", entryRSSI: -75, exitDelay: .seconds(60)) { discovery in
                    discovery.peripheral.identifier.text == "C0:DE:00:00:01:01"
                }
                for await state in manager.monitoring(keys) {
                    print(state)
                }
            }
            #expect(printed.lines == ["start", "inside"])
        }
    }

    @Test func `ranges beacons of all families`() async throws {
        try await Lab.run { lab in
            let (uuid, printed) = (Self.uuid, Printed())
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let peripherals = lab.makePeripheralManager()
            try await peripherals.whenPoweredOn()
            let frame = AltBeacon(company: 0x0118, identifier: uuid, major: 1, minor: 7, measuredPower: -59)
            try await peripherals.startAdvertising(frame.advertisement)
            let central = try await lab.central()
            try await lab.ended(when: { printed.lines.count == 2 }, central) {
                let manager = BeaconManager(central: central)
                for await beacons in manager.rangingAllFamilies() {
                    for beacon in beacons { print(beacon.family, beacon.proximityUUID, beacon.proximity) }
                }
            }
            #expect(printed.lines.allSatisfy { $0.hasPrefix("altBeacon \(uuid) ") })
        }
    }

    @Test func `asks for regions and ends them by their names`() async throws {
        try await Lab.run { lab in
            let (uuid, printed) = (Self.uuid, Printed())
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let manager = BeaconManager(central: try await lab.central())
            let states = manager.monitoring(BeaconRegion(proximityUUID: uuid, identifier: "door"))
            async let taken = states.reduce(into: []) { $0.append($1) }
            try await lab.radio.clock.sleep(for: .seconds(1))
            let regions = manager.monitoredRegions.map(\.identifier)  // ["door"]
            let state = manager.state("door")  // the newest, taken by its loop or not
            manager.stopMonitoring("door")  // its loop ends
            let yard = BeaconRegion(proximityUUID: uuid, identifier: "yard")
            print(await manager.requestState(for: yard))  // inside or outside, after its exit delay at the latest
            #expect(regions == ["door"])
            #expect(state == .start)
            #expect(await taken == [.start])
            #expect(printed.lines == ["outside"])
        }
    }

    @Test func `is a sensor, and reads its measurements`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let peripherals = lab.makePeripheralManager()
            try await peripherals.whenPoweredOn()
            let objects = [BTHomeObject(0x01, 97), BTHomeObject(0x02, 21.5)].compactMap(\.self)
            try await peripherals.startAdvertising(BTHome(objects: objects))
            let central = try await lab.central()
            await #expect(throws: CentralManagerError.invalidated) {
                try await lab.ended(when: { printed.lines.count == 2 }, central) {
                    for try await discovery in central.scan(options: ScanOptions(allowsDuplicates: true)) {
                        guard let frame = try? discovery.advertisements.serviceValue(BTHome.self) else { continue }
                        for measurement in frame.measurements { print(measurement) }  // temperature 21.50 °C
                    }
                }
            }
            #expect(printed.lines == ["battery 97 %", "temperature 21.50 °C"])
        }
    }

    @Test func `reads a sensor by a format of one's own`() async throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/BlueCapCommand/Documentation.docc/BlueCapCommand.md")
        let article = try String(contentsOf: path, encoding: .utf8)
        let blocks = article.components(separatedBy: "```json\n").compactMap { $0.components(separatedBy: "```").first }
        let text = try #require(blocks.first { $0.contains("bluecap-sensors") })
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let peripherals = lab.makePeripheralManager()
            try await peripherals.whenPoweredOn()
            try await peripherals.startAdvertising(
                Advertisement(kind: .broadcast, manufacturerData: [0xFFFF: [0x07, 0xF0, 0x00, 0x01]]))
            let central = try await lab.central()
            await #expect(throws: CentralManagerError.invalidated) {
                try await lab.ended(when: { !printed.lines.isEmpty }, central) {
                    let formats = SensorFormats.shipped.adding(try SensorFormats(json: text.utf8))
                    for try await discovery in central.scan(options: ScanOptions(allowsDuplicates: true)) {
                        guard let reading = SensorReading(discovery.advertisements, formats: formats) else { continue }
                        print(reading)                                               // temperature 24 °C, light detected
                    }
                }
            }
            #expect(printed.lines.first == "temperature 24 °C, light detected")
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
