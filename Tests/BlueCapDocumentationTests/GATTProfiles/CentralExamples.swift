// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCore
import Testing

/// The examples of the article "GATT profiles" with a central.
@Suite("GATT profiles of a central", .timeLimit(.minutes(60)))
struct CentralExamples {
    static let profiles = ProfileManager(services: [
        ConfiguredServiceProfile<AccelerometerService>(characteristics: [
            RawCharacteristicProfile<Enabled>(), RawArrayCharacteristicProfile<ArrayData>(),
        ])
    ])

    /// A device with the article's service, whose data come with each subscription.
    private static func makeDevice() -> VirtualPeripheral {
        let enabled = VirtualCharacteristic(Enabled.uuid, properties: [.read, .write], value: [0])
        let data = VirtualCharacteristic(
            ArrayData.uuid, properties: .notify,
            onSubscribe: { characteristic, isOn in
                if isOn { characteristic.notify([[1, 2], [3, 4]]) }
                return .success(())
            })
        return VirtualPeripheral(
            name: "Device", services: [VirtualService(AccelerometerService.uuid, characteristics: [enabled, data])])
    }

    @Test func `a manager is given the profiles, and values are texts`() async throws {
        try await Lab.run { lab in
            let (profiles, backend, printed) = (Self.profiles, lab.radio.central(), Printed())
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let device = Self.makeDevice()
            lab.radio.remove(lab.tag)
            lab.radio.add(device)
            let central = CentralManager(backend: backend, configuration: .init(profiles: profiles))
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery().peripheral
            try await peripheral.connect()
            try await peripheral.discover()
            let enabled = try peripheral.characteristic(Enabled.uuid)
            print(enabled.name, enabled.stringValues)  // Accelerometer Enabled ["No", "Yes"]
            try await enabled.write(stringValue: ["Accelerometer Enabled": "Yes"])
            print(try await enabled.readStringValue())  // ["Accelerometer Enabled": "Yes"]
            async let ended: Void = {
                try await device.wait { $0.characteristic(ArrayData.uuid)?.subscriptionCount == 1 }
                try await lab.radio.clock.sleep(for: .seconds(1))
                device.disconnect()
            }()
            await #expect(throws: CharacteristicError.disconnected) {
                let data = try peripheral.characteristic(ArrayData.uuid)
                for try await text in try await data.stringNotifications() {
                    print(text["value1"] ?? "", text["value2"] ?? "")
                }
            }
            try await ended
            #expect(
                printed.lines == [
                    "Accelerometer Enabled [\"No\", \"Yes\"]", "[\"Accelerometer Enabled\": \"Yes\"]", "1 2", "3 4",
                ])
        }
    }

    @Test func `characteristics are taken as they are discovered`() async throws {
        try await Lab.run { lab in
            let device = Self.makeDevice()
            lab.radio.remove(lab.tag)
            lab.radio.add(device)
            let central = lab.makeCentral(profiles: Self.profiles)
            try await central.whenPoweredOn()
            try await lab.during {
                let profile = RawCharacteristicProfile<Enabled>()
                for await characteristic in await profile.afterDiscovered(by: central, capacity: .newest(10)) {
                    try await characteristic.write(profile.encode(.yes))
                }
            } _: {
                _ = try await lab.connect(central, to: AccelerometerService.uuid)
                try await lab.radio.clock.sleep(for: .seconds(1))
                #expect(device.characteristic(Enabled.uuid)?.value == [1])
            }
        }
    }
}
