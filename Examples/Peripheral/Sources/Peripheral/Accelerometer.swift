// SPDX-License-Identifier: MIT

import BlueCap

/// The accelerometer of a TI SensorTag, offered to centrals.
struct Accelerometer: Sendable {
    typealias Service = TISensorTag.AccelerometerService

    private let service = MutableService(profile: ConfiguredServiceProfile<Service>())
    private let data = MutableCharacteristic(profile: RawArrayCharacteristicProfile<Service.Data>())
    private let enabled = MutableCharacteristic(profile: RawCharacteristicProfile<Service.Enabled>())
    private let period = MutableCharacteristic(profile: RawCharacteristicProfile<Service.UpdatePeriod>())

    init() {
        service.characteristics = [data, enabled, period]
        // Who subscribes gets samples from then on, none of the past.
        data.updatePolicy = .none
    }

    /// Offers the service and advertises it until the task is cancelled.
    func serve(with manager: PeripheralManager) async throws {
        try await manager.whenPoweredOn(timeout: .seconds(5))
        // Writes that come while nobody listens are refused, so listen first.
        let writes = manager.writeRequests()
        try await manager.add(service, timeout: .seconds(10))
        try await manager.startAdvertising("Accelerometer", serviceUUIDs: [Service.uuid], timeout: .seconds(10))
        print("advertising")
        await withTaskGroup { group in
            group.addTask {
                for await request in writes { answer(request) }
            }
            group.addTask { await measure() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Takes what is a value of the characteristic's type, and refuses the rest.
    private func answer(_ request: WriteRequest) {
        if request.value.count != 1 {
            request.respond(.invalidAttributeValueLength)
        } else if request.characteristic.profile.stringValue(request.value) == nil {
            request.respond(.valueNotAllowed)  // BlueZ has no word for it and sends 0x0E
        } else {
            request.accept()
            print("\(request.characteristic.name): \(request.value)")
        }
    }

    /// Sends a sample every period while the sensor is enabled.
    private func measure() async {
        var step = 0.0
        while !Task.isCancelled {
            let isEnabled = enabled.value == [1]
            let milliseconds = 10 * Int(period.value?.first ?? 100)
            try? await Task.sleep(for: .milliseconds(isEnabled ? max(milliseconds, 10) : 50))
            guard isEnabled, let sample = try? Service.Data(x: step, y: -step, z: 1) else { continue }
            step = step < 1.5 ? step + 0.125 : -1.5
            // All subscribers get it, and who reads.
            try? data.update(sample)
        }
    }
}
