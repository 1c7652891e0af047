// SPDX-License-Identifier: MIT

import BlueCap

/// The accelerometer of a TI SensorTag, offered to centrals.
struct Accelerometer: Sendable {
    typealias Service = TISensorTag.AccelerometerService

    private let service = MutableService(Service.self)
    private let data = TypedMutableCharacteristic<Service.Data>()
    private let enabled = TypedMutableCharacteristic<Service.Enabled>()
    private let period = TypedMutableCharacteristic<Service.UpdatePeriod>()

    init() {
        service.characteristics = [data.characteristic, enabled.characteristic, period.characteristic]
        // A new subscriber gets samples from then on, none of the past.
        data.characteristic.updatePolicy = .none
    }

    /// Offers the service and advertises it until the task is cancelled.
    func serve(with manager: PeripheralManager) async throws {
        try await manager.whenPoweredOn(timeout: .seconds(5))
        // A write without a listener is refused, so listen first.
        let (switches, periods) = (enabled.writeRequests(), period.writeRequests())
        try await manager.add(service, timeout: .seconds(10))
        try await manager.startAdvertising("Accelerometer", serviceUUIDs: [Service.uuid], timeout: .seconds(10))
        print("advertising")
        await withTaskGroup { group in
            // Only values of the type get here: the library refuses all others.
            group.addTask { await accept(switches) }
            group.addTask { await accept(periods) }
            group.addTask { await measure() }
            await group.next()
            group.cancelAll()
        }
    }

    private func accept<Value>(_ requests: AsyncStream<TypedWriteRequest<Value>>) async {
        for await request in requests {
            request.accept()
            print("\(request.characteristic.name): \(request.newValue)")
        }
    }

    /// Sends a sample every period while the sensor is enabled.
    private func measure() async {
        var step = 0.0
        while !Task.isCancelled {
            let isEnabled = enabled.value == .yes
            let milliseconds = period.value?.milliseconds ?? 1000
            try? await Task.sleep(for: .milliseconds(isEnabled ? max(milliseconds, 10) : 50))
            guard isEnabled, let sample = try? Service.Data(x: step, y: -step, z: 1) else { continue }
            step = step < 1.5 ? step + 0.125 : -1.5
            // All subscribers and all readers get the sample.
            try? data.update(sample)
        }
    }
}
