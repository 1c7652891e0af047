// SPDX-License-Identifier: MIT

import BlueCap

/// A SensorTag in the air of a virtual radio, with firmware that measures a seeded motion.
struct VirtualSensorTag: Sendable {
    typealias Accelerometer = TISensorTag.AccelerometerService

    let peripheral: VirtualPeripheral
    private let motion: Motion
    private let data: VirtualCharacteristic
    private let enabled: VirtualCharacteristic
    private let period: VirtualCharacteristic

    /// - Parameters:
    ///   - seed: Where the motion comes from.
    ///   - isEnabled: Whether it measures ten times a second without a central that enables it.
    init(seed: UInt64, isEnabled: Bool = false, address: String = "C0:DE:00:00:00:01", metres: Double = 1.5) {
        motion = Motion(seed: seed)
        data = VirtualCharacteristic(
            Accelerometer.Data.uuid, properties: [.read, .notify], value: Accelerometer.Data.initialValue ?? [])
        enabled = VirtualCharacteristic(
            Accelerometer.Enabled.uuid, properties: [.read, .write], value: [isEnabled ? 1 : 0],
            onWrite: { Self.check($1, as: Accelerometer.Enabled.self) })
        period = VirtualCharacteristic(
            Accelerometer.UpdatePeriod.uuid, properties: [.read, .write], value: [isEnabled ? 10 : 100],
            onWrite: { Self.check($1, as: Accelerometer.UpdatePeriod.self) })
        peripheral = VirtualPeripheral(
            name: "SensorTag", address: address, proximity: .metres(metres),
            services: [VirtualService(Accelerometer.uuid, characteristics: [data, enabled, period])])
    }

    /// Measures and notifies while a central listens and the sensor is enabled, until the task is cancelled.
    func run(on clock: BlueCapClock) async {
        var index = 0
        var next = clock.elapsed
        while !Task.isCancelled {
            next = max(next + .milliseconds(updatePeriod), clock.elapsed)
            do { try await clock.sleep(for: next - clock.elapsed) } catch { return }
            guard isEnabled, data.subscriptionCount > 0 else { continue }
            let (x, y, z) = motion.acceleration(index)
            if let sample = try? Accelerometer.Data(x: x, y: y, z: z) { data.update(SerDe.serialize(sample)) }
            index += 1
        }
    }

    private var isEnabled: Bool {
        let value: Accelerometer.Enabled? = try? SerDe.deserialize(enabled.value)
        return value == .yes
    }

    private var updatePeriod: Int {
        // A sensor that is off looks often whether it was switched on.
        guard isEnabled else { return 20 }
        let value: Accelerometer.UpdatePeriod? = try? SerDe.deserialize(period.value)
        return value?.milliseconds ?? 1000
    }

    private static func check<Value: CharacteristicValue>(
        _ bytes: Bytes, as type: Value.Type
    ) -> Result<Void, ATTError> {
        if bytes.count != 1 { return .failure(.invalidAttributeValueLength) }
        let value: Value? = try? SerDe.deserialize(bytes)
        return value == nil ? .failure(.valueNotAllowed) : .success(())
    }
}
