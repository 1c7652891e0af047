// SPDX-License-Identifier: MIT

import BlueCap

extension Pipeline {
    /// Measures sightings once every device has been sighted; the last one has an RSSI of -1.
    ///
    /// A consumer that lags gets only the newest sighting of each device, so the count is the number of sent sightings.
    func sightings(of services: [BluetoothUUID]) async throws -> Figures {
        let central = try await Self.central()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            // A sighting does not concern these scans: they filter for services that no device has.
            for number in 1..<atOnce {
                let other = central.scan(for: [BluetoothUUID(UInt16(0xA000 + number))])
                group.addTask { for try await _ in other {} }
            }
            defer { group.cancelAll() }
            return try await sightings(of: services, with: central)
        }
    }

    private func sightings(of services: [BluetoothUUID], with central: CentralManager) async throws -> Figures {
        let scan = central.scan(for: services, options: ScanOptions(allowsDuplicates: true))
        return try await consume(with: central) {
            var meter = Meter()
            var (isOn, isWarm) = (false, false)
            var delivered = 0
            for try await discovery in scan {
                // A scan begins with the devices that are known: one that was sighted before would come once more.
                if !isOn { say("warm") }
                isOn = true
                delivered += 1
                guard discovery.rssi == -1 else { continue }
                if isWarm { break }
                isWarm = true
                delivered = 0
                meter = .begin()
            }
            var figures = meter.figures(count: count)
            figures.others["delivered"] = Double(delivered)
            return figures
        }
    }

    /// Measures the start of a manager until it can be used, and the memory once every device has been sighted.
    func start() async throws -> Figures {
        let meter = Meter.begin("started")
        let central = try await Self.central()
        var figures = meter.figures(count: 1)
        let scan = central.scan(options: ScanOptions(allowsDuplicates: true))
        figures.others["scanned_kb"] = try await consume(with: central) {
            _ = Meter.begin("warm")
            for try await discovery in scan where discovery.rssi == -1 { break }
            return Double(Meter.memory)
        }
        return figures
    }

    /// Measures a connection with an idle subscription for `count` seconds.
    func idle(with central: CentralManager) async throws -> Figures {
        let link = try await Link.open(with: central)
        let values = try await link.characteristic.notifications(timeout: .seconds(60))
        let meter = Meter.begin()
        try await central.clock.sleep(for: .seconds(count))
        return withExtendedLifetime(values) { meter.figures(count: count) }
    }

    static func central() async throws -> CentralManager {
        let central = CentralManager(configuration: .init(maximumDiscoveredPeripherals: 20000))
        try await central.whenPoweredOn(timeout: .seconds(60))
        return central
    }
}
