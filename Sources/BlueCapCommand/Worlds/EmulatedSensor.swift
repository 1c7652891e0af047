// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapPlatform
import BlueCapRuntime

/// A sensor of a SensorTag, virtual or offered by a manager: the characteristics that govern it, and its firmware.
struct EmulatedSensor: Sendable {
    /// Where its samples go.
    let data: MutableCharacteristic
    /// Switches it on and off; nil for the keys, which are always on.
    private let enabled: MutableCharacteristic?
    /// Holds the time from sample to sample, where it can be chosen.
    private let period: MutableCharacteristic?
    private let measure: @Sendable (_ index: Int, _ mode: UInt8) -> Bytes?
    private let changes = Mailbox<Void, Never>(capacity: .newest(1))
    private let runs = Locked(0)

    /// The sensors of services, which the same motion moves.
    static func sensors(of services: [MutableService], seed: UInt64) -> [EmulatedSensor] {
        let motion = Motion(seed: seed)
        return services.compactMap { EmulatedSensor($0, motion: motion) }
    }

    /// The sensor of a service; nil where the service measures no changing value.
    private init?(_ service: MutableService, motion: Motion) {
        guard let (data, measure) = Self.measurement(of: service.uuid, motion: motion),
            let data = service.characteristics(withUUID: data).first
        else { return nil }
        self.data = data
        self.measure = measure
        let settings = service.characteristics.filter { $0.propertyEnabled(.write) }
        enabled = settings.first { !Self.periods.contains($0.uuid) }
        period = settings.first { Self.periods.contains($0.uuid) }
    }

    // MARK: Writes

    /// Whether a characteristic is a setting of the sensor.
    func isSet(by characteristic: MutableCharacteristic) -> Bool {
        enabled == characteristic || period == characteristic
    }

    /// The result of a write: its value must have the length of the value before it, and be valid.
    static func verdict(on value: Bytes, at offset: Int, for characteristic: MutableCharacteristic) -> ATTError {
        if offset != 0 { return .invalidOffset }
        if value.count != characteristic.value?.count { return .invalidAttributeValueLength }
        return characteristic.profile.stringValue(value) == nil ? .valueNotAllowed : .success
    }

    /// Follows a setting that was written.
    func settingsChanged() { _ = changes.push(()) }

    // MARK: Samples

    /// Measures while the sensor is on, until the task is cancelled.
    ///
    /// - Parameter send: Sends a sample, or returns false, and the next sample is the same one.
    func run(on clock: BlueCapClock, send: @escaping @Sendable (Bytes) -> Bool) async {
        await withDiscardingTaskGroup { group in
            repeat {
                let run = runs.withLock { run in
                    run += 1
                    return run
                }
                group.addTask { await measure(run, on: clock, send) }
            } while await changes.next() != nil
        }
    }

    /// Sends a sample every period for as long as the settings stay as they are.
    private func measure(_ run: Int, on clock: BlueCapClock, _ send: @Sendable (Bytes) -> Bool) async {
        var index = 0
        var next = clock.elapsed
        while mode != 0 {
            next = max(next + interval, clock.elapsed)
            do { try await clock.sleep(for: next - clock.elapsed) } catch { return }
            // The task that measures with the old settings ends when it finds another number.
            guard run == runs.withLock({ $0 }) else { return }
            if let sample = measure(index, mode), send(sample) { index += 1 }
        }
    }

    /// The time from sample to sample.
    private var interval: Duration {
        // A byte of 10 ms each; 0 means the same as 1. Sensors without a choice take a second.
        .milliseconds(10 * max(Int(period?.value?.first ?? 100), 1))
    }

    private var mode: UInt8 { enabled.map { $0.value?.first ?? 0 } ?? 1 }

    private static let periods: Set<BluetoothUUID> = [
        TISensorTag.AccelerometerService.UpdatePeriod.uuid, TISensorTag.MagnetometerService.UpdatePeriod.uuid,
    ]

    private typealias Measurement = (BluetoothUUID, @Sendable (Int, UInt8) -> Bytes?)

    private static func measurement(of service: BluetoothUUID, motion: Motion) -> Measurement? {
        switch service {
        case TISensorTag.AccelerometerService.uuid:
            measurement { index, _ in
                let (x, y, z) = motion.acceleration(index)
                return try? TISensorTag.AccelerometerService.Data(x: x, y: y, z: z)
            }
        case TISensorTag.MagnetometerService.uuid:
            // The earth's field, seen by a board that turns.
            measurement { index, _ in
                try? TISensorTag.MagnetometerService.Data(x: 20 * wave(index), y: 20 * wave(index + 16), z: -44)
            }
        case TISensorTag.GyroscopeService.uuid:
            measurement { index, mode in
                let axes = (0..<3).map { mode >> $0 & 1 == 1 ? 90 * wave(index + 7 * $0) : 0 }
                return try? TISensorTag.GyroscopeService.Data(x: axes[0], y: axes[1], z: axes[2])
            }
        case TISensorTag.TemperatureService.uuid:
            measurement { index, _ in
                try? TISensorTag.TemperatureService.Data(object: 30 + 4 * wave(index), ambient: 24)
            }
        case TISensorTag.BarometerService.uuid:
            // Its other mode reads the coefficients, which are there from the start.
            measurement { index, mode in
                mode == TISensorTag.BarometerService.Enabled.yes.rawValue
                    ? TISensorTag.BarometerService.Data(
                        temperatureRaw: -2343, pressureRaw: UInt16(33_995 + 40 * wave(index)))
                    : nil
            }
        case TISensorTag.HygrometerService.uuid:
            measurement { index, _ in
                try? TISensorTag.HygrometerService.Data(temperature: 24, humidity: 45 + 5 * wave(index))
            }
        case TISensorTag.KeyPressedService.uuid:
            measurement { index, _ in TISensorTag.KeyPressedService.Data(rawValue: UInt8(index % 4)) }
        default: nil
        }
    }

    private static func measurement<Value: ByteEncodable & CharacteristicConfigurable>(
        _ value: @escaping @Sendable (_ index: Int, _ mode: UInt8) -> Value?
    ) -> Measurement {
        (Value.uuid, { index, mode in value(index, mode).map { SerDe.serialize($0) } })
    }

    /// From −1 to 1 and back in 63 samples.
    private static func wave(_ index: Int) -> Double { sin(Double(index) / 10) }
}

/// A board that is turned about in a hand: a swing along each axis and a tremor, all from a seed.
struct Motion: Sendable {
    private let seed: UInt64
    private let phases: [Double]

    init(seed: UInt64) {
        self.seed = seed
        var chance = SeededGenerator(seed: seed)
        phases = (0..<3).map { _ in chance.nextUnit() * 2 * .pi }
    }

    /// The acceleration in g at the sample with a number; the same for the same seed and number, and within ±1.5 g.
    func acceleration(_ index: Int) -> (x: Double, y: Double, z: Double) {
        var chance = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: index + 1) &* 0xA24B_AED4_963E_E407)
        let time = Double(index) / 10
        let axes = [0.9, 0.7, 0.6].enumerated().map { axis, amplitude in
            amplitude * sin(phases[axis] + time * (1.3 + 0.6 * Double(axis))) + (chance.nextUnit() - 0.5) * 0.12
        }
        return (axes[0], axes[1], axes[2] + 0.3)
    }
}
