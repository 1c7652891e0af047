// SPDX-License-Identifier: MIT

// The code of the README, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@Suite("README", .timeLimit(.minutes(60)))
struct ReadmeTests {
    typealias Accelerometer = TISensorTag.AccelerometerService

    @Test func `a central listens to the accelerometer of a SensorTag`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            @Sendable func CentralManager() -> BlueCapCore.CentralManager { lab.makeCentral() }
            async let ended: Void = lab.endAfterSubscription()
            await #expect(throws: CharacteristicError.disconnected) {
                typealias Accelerometer = TISensorTag.AccelerometerService

                let central = CentralManager()                                   // BlueZ; init(backend:) for a virtual radio
                try await central.whenPoweredOn(timeout: .seconds(5))
                let found = try await central.firstDiscovery(for: [Accelerometer.uuid], timeout: .seconds(10))
                let peripheral = found.peripheral
                try await peripheral.connect(timeout: .seconds(5))
                try await peripheral.discover([Accelerometer.uuid])              // services and their characteristics
                let enabled = try peripheral.characteristic(Accelerometer.Enabled.self)
                try await enabled.write(.yes, timeout: .seconds(2))
                let data = try peripheral.characteristic(Accelerometer.Data.self)
                for try await sample in try await data.notifications(capacity: .newest(10)) {
                    print(sample.x, sample.y, sample.z)                          // decoded, in g; leaving the loop unsubscribes
                }
            }
            try await ended
            #expect(lab.enabled.value == [1])
            #expect(printed.lines == ["-1.0 0.0 0.0", "0.0 -1.0 0.0", "0.0 0.0 1.0"])
        }
    }

    @Test func `a program is such a sensor`() async throws {
        try await Lab.run { lab in
            lab.radio.remove(lab.tag)
            try await lab.during {
                @Sendable func PeripheralManager() -> BlueCapCore.PeripheralManager { lab.makePeripheralManager() }
                typealias Accelerometer = TISensorTag.AccelerometerService

                let samples = TypedMutableCharacteristic<Accelerometer.Data>()   // with an initial value, which centrals read
                let enabled = TypedMutableCharacteristic<Accelerometer.Enabled>()
                let service = MutableService(
                    Accelerometer.self, characteristics: [samples.characteristic, enabled.characteristic])

                let peripherals = PeripheralManager()                            // BlueZ; init(backend:) for a virtual radio
                try await peripherals.whenPoweredOn(timeout: .seconds(5))
                let writes = enabled.writeRequests()                             // before a central can write
                try await peripherals.add(service, timeout: .seconds(10))
                try await peripherals.startAdvertising("Sensor", serviceUUIDs: [service.uuid], timeout: .seconds(10))
                for await request in writes {                                    // decoded; what is no value was refused
                    request.accept()
                    guard request.newValue == .yes else { continue }
                    try samples.update(Accelerometer.Data(x: 0, y: 0, z: 1))     // to all who are subscribed
                }
            } _: {
                let central = try await lab.central()
                let peripheral = try await lab.connect(central, to: Accelerometer.uuid)
                var samples = try await peripheral.characteristic(Accelerometer.Data.self).notifications()
                    .makeAsyncIterator()
                let enabled = try peripheral.characteristic(Accelerometer.Enabled.self)
                await #expect(throws: CharacteristicError.att(.invalidAttributeValueLength)) {
                    try await enabled.characteristic.write([1, 2])
                }
                try await enabled.write(.yes)
                #expect(try await samples.next()?.z == 1)
            }
        }
    }
}
