// SPDX-License-Identifier: MIT

// The code of the pages, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@Suite("The pages of the central role's types", .timeLimit(.minutes(60)))
struct CentralPagesTests {
    @Test func `the landing page: a strap's heart rate is printed`() async throws {
        try await Lab.run { lab in
            let world = Strap(lab)
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            @Sendable func CentralManager() -> BlueCapCore.CentralManager { lab.makeCentral() }
            async let ended: Void = world.endAfterSubscription(to: world.rate)
            await #expect(throws: CharacteristicError.disconnected) {
                let central = CentralManager()                                   // BlueZ; init(backend:) for a virtual radio
                try await central.whenPoweredOn(timeout: .seconds(5))
                let strap = try await central.firstDiscovery(for: [HeartRateService.uuid], timeout: .seconds(10)).peripheral
                try await strap.connect(timeout: .seconds(5))
                try await strap.discover([HeartRateService.uuid], timeout: .seconds(5))
                let measurement = try strap.characteristic(HeartRateService.Measurement.self)
                for try await value in try await measurement.notifications(capacity: .newest(10)) {
                    print(value.beatsPerMinute)                                  // decoded; leaving the loop unsubscribes
                }
            }
            try await ended
            #expect(printed.lines == ["62", "63"])
        }
    }

    @Test func `CentralManager: devices in reach are printed`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            @Sendable func CentralManager() -> BlueCapCore.CentralManager { lab.makeCentral() }
            let central = CentralManager()                      // the platform's radio; init(backend:) for another
            try await central.whenPoweredOn(timeout: .seconds(5))
            for try await sighting in central.scan(timeout: .seconds(10)) {
                print(sighting.peripheral.displayName, sighting.rssi ?? 0)
            }
            #expect(printed.lines.first?.hasPrefix("SensorTag -") == true)
        }
    }

    @Test func `Scan: it ends where a device is near enough`() async throws {
        try await Lab.run { lab in
            _ = Strap(lab)
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let central = try await lab.central()
            for try await sighting in central.scan(for: [BatteryService.uuid], timeout: .seconds(10)) {
                print(sighting.peripheral.displayName)
                if let rssi = sighting.rssi, rssi > -60 { break }   // near enough: the scan ends with its loop
            }
            #expect(printed.lines.first == "Strap")
        }
    }

    @Test func `Peripheral: a battery level is read`() async throws {
        try await Lab.run { lab in
            _ = Strap(lab)
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let central = try await lab.central()
            let strap = try await central.firstDiscovery(for: [BatteryService.uuid], timeout: .seconds(10)).peripheral
            try await strap.connect(timeout: .seconds(5))
            try await strap.discover([BatteryService.uuid], timeout: .seconds(5))
            let level = try strap.characteristic(BatteryService.Level.self)
            print(strap.displayName, try await level.read(timeout: .seconds(2)).percent)
            #expect(printed.lines == ["Strap 100"])
        }
    }

    @Test func `Service: every value that can be read is printed`() async throws {
        try await Lab.run { lab in
            let world = Strap(lab)
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let central = lab.makeCentral(profiles: .standard)
            try await central.whenPoweredOn()
            let strap = try await world.connect(central)
            try await strap.discover([BatteryService.uuid], timeout: .seconds(5))
            let battery = try strap.service(BatteryService.uuid)
            for characteristic in battery.characteristics where characteristic.canRead {
                print(characteristic.name, try await characteristic.read(timeout: .seconds(2)).hex)
            }
            #expect(printed.lines == ["Battery Level 64"])
        }
    }

    @Test func `Characteristic: bytes are read and listened to`() async throws {
        try await Lab.run { lab in
            let world = Strap(lab)
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let central = try await lab.central()
            let strap = try await world.connect(central)
            async let ended: Void = world.endAfterSubscription(to: world.level)
            await #expect(throws: CharacteristicError.disconnected) {
                let level = try strap.characteristic("2A19")        // after discover(_:timeout:)
                print(try await level.read(timeout: .seconds(2)).hex)
                for try await bytes in try await level.notifications(capacity: .newest(10)) {
                    print(bytes.hex)                                // leaving the loop unsubscribes
                }
            }
            try await ended
            #expect(printed.lines == ["64", "63", "62"])
        }
    }

    @Test func `TypedCharacteristic: values are read and listened to`() async throws {
        try await Lab.run { lab in
            let world = Strap(lab)
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let central = try await lab.central()
            let strap = try await world.connect(central)
            async let ended: Void = world.endAfterSubscription(to: world.level)
            await #expect(throws: CharacteristicError.disconnected) {
                let level = try strap.characteristic(BatteryService.Level.self)
                print(try await level.read(timeout: .seconds(2)).percent)
                for try await level in try await level.notifications(capacity: .newest(10)) {
                    print(level.percent)                            // leaving the loop unsubscribes
                }
            }
            try await ended
            #expect(printed.lines == ["100", "99", "98"])
        }
    }
}

/// A heart rate strap on the air of a lab, with two values for each that subscribes.
private struct Strap {
    let rate = VirtualCharacteristic(
        HeartRateService.Measurement.uuid, properties: [.notify], onSubscribe: { characteristic, isOn in
            if isOn { characteristic.notify([[0, 62], [0, 63]]) }
            return .success(())
        })
    let level = VirtualCharacteristic(
        BatteryService.Level.uuid, properties: [.read, .notify], value: [100], onSubscribe: { characteristic, isOn in
            if isOn { characteristic.notify([[99], [98]]) }
            return .success(())
        })
    private let device: VirtualPeripheral
    private let lab: Lab

    init(_ lab: Lab) {
        self.lab = lab
        device = VirtualPeripheral(
            name: "Strap",
            services: [
                VirtualService(HeartRateService.uuid, characteristics: [rate]),
                VirtualService(BatteryService.uuid, characteristics: [level]),
            ])
        lab.radio.add(device)
    }

    func connect(_ central: CentralManager) async throws -> Peripheral {
        try await lab.connect(central, to: BatteryService.uuid)
    }

    /// Ends the link a second after a central has subscribed.
    func endAfterSubscription(to characteristic: VirtualCharacteristic) async throws {
        try await device.wait { _ in characteristic.subscriptionCount > 0 }
        try await lab.radio.clock.sleep(for: .seconds(1))
        device.disconnect()
    }
}
