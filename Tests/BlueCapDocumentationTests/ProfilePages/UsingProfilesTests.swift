// SPDX-License-Identifier: MIT

// The code of the article, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

enum GreenhouseService: ServiceConfigurable {
    static let uuid: BluetoothUUID = "F000BB00-0451-4000-B000-000000000000"
    static let name = "Greenhouse"
    static let tag = "My Services"

    /// The moisture of the soil in percent, in steps of 0.01.
    struct Moisture: ScaledValue {
        typealias Step = Per100
        static let uuid: BluetoothUUID = "F000BB01-0451-4000-B000-000000000000"
        static let name = "Soil Moisture"
        static let unit = "%"
        static let range: ClosedRange<Double>? = 0...100
        let rawValue: UInt16
        init(rawValue: UInt16) { self.rawValue = rawValue }
    }
}

@Suite("The article about profiles", .timeLimit(.minutes(60)))
struct UsingProfilesTests {
    /// A strap with a battery in the air of the laboratory.
    private static func addStrap(to lab: Lab) {
        let measurement = VirtualCharacteristic(
            HeartRateService.Measurement.uuid, properties: [.notify],
            onSubscribe: { characteristic, isOn in
                if isOn { characteristic.notify([[0, 72]]) }
                return .success(())
            })
        let level = VirtualCharacteristic(BatteryService.Level.uuid, properties: [.read, .notify], value: [98])
        lab.radio.remove(lab.tag)
        let location = VirtualCharacteristic(HeartRateService.BodySensorLocation.uuid, properties: [.read])
        lab.radio.add(
            VirtualPeripheral(
                name: "Strap",
                services: [
                    VirtualService(HeartRateService.uuid, characteristics: [measurement, location]),
                    VirtualService(BatteryService.uuid, characteristics: [level]),
                ]))
    }

    @Test func `a central knows the service`() async throws {
        try await Lab.run { lab in
            Self.addStrap(to: lab)
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let central = try await lab.central()
            let strap = try await central.firstDiscovery(for: [HeartRateService.uuid], timeout: .seconds(30)).peripheral
            try await strap.connect(timeout: .seconds(5))
            try await strap.discover([HeartRateService.uuid, BatteryService.uuid], timeout: .seconds(10))

            let battery = try strap.characteristic(BatteryService.Level.self)
            print(try await battery.read(timeout: .seconds(5)).percent, "%")

            let measurement = try strap.characteristic(HeartRateService.Measurement.self)
            for try await value in try await measurement.notifications() {
                print(value.beatsPerMinute, "bpm")
                break
            }
            #expect(printed.lines == ["98 %", "72 bpm"])

            let level = try strap.characteristic(BatteryService.Level.self)
            print(try await level.read(timeout: .seconds(5)).percent)
            #expect(printed.lines.last == "98")
        }
    }

    @Test func `a central reads whatever it finds as text with units`() async throws {
        try await Lab.run { lab in
            Self.addStrap(to: lab)
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let backend = lab.radio.central()
            let central = CentralManager(backend: backend, configuration: .init(profiles: .standard))
            try await central.whenPoweredOn()
            let peripheral = try await lab.connect(central, to: HeartRateService.uuid)
            for characteristic in peripheral.services.flatMap(\.characteristics) where characteristic.canRead {
                do {
                    let text = try await characteristic.readStringValue(timeout: .seconds(5))
                    for (part, value) in text.sorted(by: { $0.key < $1.key }) {
                        print(characteristic.name, part, value, characteristic.profile.units[part] ?? "")
                    }
                } catch {
                    print(characteristic.name, error)
                }
            }
            #expect(printed.lines == [
                "Body Sensor Location cannot decode an empty value of 2A38: truncated: 1 byte needed at offset 0, 0 "
                    + "available: the peripheral has set no value yet, or the declared type is not what it sends",
                "Battery Level Battery Level 98 %",
            ])
            await central.invalidate()
        }
    }

    @Test func `a peripheral offers services that are built in`() async throws {
        try await Lab.run { lab in
            lab.radio.remove(lab.tag)
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            if let profile = ProfileManager.standard.service(withUUID: DeviceInformationService.uuid) {
                let service = MutableService(profile: profile)
                service.characteristicsFromProfiles()
                try await manager.add(service, timeout: .seconds(10))
            }
            let level = TypedMutableCharacteristic<BatteryService.Level>()
            let service = MutableService(BatteryService.self, characteristics: [level.characteristic])
            try await manager.add(service, timeout: .seconds(10))
            try await manager.startAdvertising("Battery", serviceUUIDs: [service.uuid], timeout: .seconds(10))
            if let low = BatteryService.Level(rawValue: 20) { try level.update(low) }

            let peripheral = try await lab.connect(try await lab.central(), to: BatteryService.uuid)
            #expect(try await peripheral.characteristic(BatteryService.Level.self).read().percent == 20)
            #expect(try peripheral.service(DeviceInformationService.uuid).characteristics.count == 9)
        }
    }

    @Test func `profiles of one's own are added`() throws {
        let mine = ProfileManager(services: [
            ConfiguredServiceProfile<GreenhouseService>(characteristics: [RawCharacteristicProfile<GreenhouseService.Moisture>()])
        ])
        let profiles = ProfileManager.standard.adding(mine)
        #expect(profiles.service(withUUID: BatteryService.uuid) != nil)
        let moisture = try #require(profiles.service(withUUID: GreenhouseService.uuid)?.characteristics.first)
        #expect(moisture.units == ["Soil Moisture": "%"])
        #expect(moisture.stringValue([0x10, 0x27]) == ["Soil Moisture": "100.00"])
    }
}
