// SPDX-License-Identifier: MIT

import BlueCap

/// Works on the virtual radio: a number of devices for a number of simulated seconds.
extension Pipeline {
    /// Every device advertises ten times a second and is sighted by one central.
    func virtualSightings() async throws -> Figures {
        try await VirtualRadio.run(seed: 1) { radio in
            for index in 0..<atOnce { radio.add(Self.device(index, interval: .milliseconds(100), services: [])) }
            let central = try await Self.central(on: radio)
            let meter = Meter.begin()
            var sighted = 0
            let options = ScanOptions(allowsDuplicates: true)
            for try await _ in central.scan(options: options, timeout: .seconds(count)) { sighted += 1 }
            return simulated(meter, events: sighted)
        }
    }

    /// Every device is connected and notifies ten times a second.
    func virtualNotifications() async throws -> Figures {
        try await VirtualRadio.run(seed: 1) { radio in
            let notifying = (0..<atOnce).map { _ in VirtualCharacteristic("2A37", properties: [.notify]) }
            for (index, characteristic) in notifying.enumerated() {
                let service = VirtualService("180D") { characteristic }
                radio.add(Self.device(index, interval: .seconds(1), services: [service]))
            }
            let central = try await Self.central(on: radio)
            let subscriptions = try await subscribe(with: central)
            let meter = Meter.begin()
            let received = try await withThrowingTaskGroup(of: Int.self) { group in
                for values in subscriptions {
                    group.addTask {
                        var received = 0
                        for try await _ in values {
                            received += 1
                            if received == count * 10 { break }
                        }
                        return received
                    }
                }
                let value = Bytes([UInt8](repeating: 1, count: 20))
                for _ in 0..<(count * 10) {
                    for characteristic in notifying { characteristic.notify(value) }
                    try await radio.clock.sleep(for: .milliseconds(100))
                }
                return try await group.reduce(0, +)
            }
            return simulated(meter, events: received)
        }
    }

    /// One device that notifies ten times a second, for as many values as `count` says: 864,000 are a day.
    ///
    /// Measured are the values that came of those that were sent, and the processor's time and the memory after a tenth
    /// of them and at the end.
    func virtualDay() async throws -> Figures {
        try await VirtualRadio.run(seed: 1, limit: .seconds(count)) { radio in
            let notifying = VirtualCharacteristic("2A37", properties: [.notify])
            let service = VirtualService("180D") { notifying }
            radio.add(Self.device(0, interval: .seconds(1), services: [service]))
            let central = try await Self.central(on: radio)
            guard let values = try await subscribe(with: central).first else {
                leave(1, "Pipeline: there is no subscription")
            }
            let meter = Meter.begin()
            async let sent: Void = send(count, by: notifying, on: radio.clock)
            var received = 0
            var early = (cpu: 0.0, memory: 0)
            for try await _ in values {
                received += 1
                if received == count / 10 { early = (meter.cpuTime, Meter.memory) }
                if received == count { break }
            }
            try await sent
            var figures = meter.figures(count: received, wrong: count - received)
            figures.others = ["early_us": early.cpu, "early_kb": Double(early.memory)]
            return withExtendedLifetime(central) { figures }
        }
    }

    private func send(_ count: Int, by characteristic: VirtualCharacteristic, on clock: BlueCapClock) async throws {
        for _ in 0..<count {
            characteristic.notify(Self.value)
            try await clock.sleep(for: .milliseconds(100))
        }
    }

    private func subscribe(with central: CentralManager) async throws -> [Notifications] {
        var found: [Peripheral] = []
        for try await discovery in central.scan(timeout: .seconds(60)) {
            found.append(discovery.peripheral)
            if found.count == atOnce { break }
        }
        var subscriptions: [Notifications] = []
        for peripheral in found {
            try await peripheral.connect(timeout: .seconds(60))
            try await peripheral.discover(["180D"])
            let characteristic = try peripheral.characteristic("2A37")
            subscriptions.append(try await characteristic.notifications(capacity: .unbounded))
        }
        return subscriptions
    }

    /// The figures of a simulation: the number of its events, and the simulated seconds.
    private func simulated(_ meter: Meter, events: Int) -> Figures {
        var figures = meter.figures(count: events)
        figures.others["simulated_s"] = Double(count)
        return figures
    }

    static func device(_ index: Int, interval: Duration, services: [VirtualService]) -> VirtualPeripheral {
        let advertisements = PeripheralAdvertisements(localName: "Device \(index)", serviceUUIDs: ["180D"])
        return VirtualPeripheral(
            name: "Device \(index)", advertising: VirtualAdvertising(interval: interval, data: advertisements)
        ) {
            services
        }
    }

    static func central(
        on radio: VirtualRadio, address: String = "00:00:5E:00:53:01"
    ) async throws -> CentralManager {
        let configuration = CentralManager.Configuration(clock: radio.clock, maximumDiscoveredPeripherals: 20000)
        let central = CentralManager(backend: radio.central(address: address), configuration: configuration)
        try await central.whenPoweredOn()
        return central
    }
}
