// SPDX-License-Identifier: MIT

import BlueCap

/// A virtual SensorTag whose board turns slowly.
struct VirtualTag: Sendable {
    typealias Accelerometer = TISensorTag.AccelerometerService

    let peripheral: VirtualPeripheral
    private let data = VirtualCharacteristic(Accelerometer.Data.uuid, properties: [.read, .notify])
    private let enabled = VirtualCharacteristic(Accelerometer.Enabled.uuid, properties: [.read, .write], value: [0])
    private let period = VirtualCharacteristic(
        Accelerometer.UpdatePeriod.uuid, properties: [.read, .write], value: [100])

    init() {
        peripheral = VirtualPeripheral(
            name: "SensorTag", services: [VirtualService(Accelerometer.uuid, characteristics: [data, enabled, period])])
    }

    /// Sends a sample every period while the sensor is enabled, until the task is cancelled.
    func measure() async {
        var step = 0
        while !Task.isCancelled {
            let milliseconds = max(10, 10 * Int(period.value.first ?? 100))
            try? await Task.sleep(for: .milliseconds(enabled.value == [1] ? milliseconds : 20))
            guard enabled.value == [1] else { continue }
            step += 1
            // The bytes as the sensor sends them: 64 to 1 g.
            data.notify([UInt8(step % 64), UInt8(64 - step % 64), 64])
        }
    }
}
