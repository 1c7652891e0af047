// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapPlatform

/// A sensor of an emulated SensorTag: the characteristics that govern it, and its samples.
struct EmulatedSensor: Sendable {
    /// Where its samples go.
    let data: MutableCharacteristic
    /// Switches it on and off; nil for the keys, which are always on.
    let enabled: MutableCharacteristic?
    /// Holds the time from sample to sample, where it can be chosen.
    let period: MutableCharacteristic?
    private let measure: @Sendable (_ index: Int, _ mode: UInt8) -> Bytes?

    /// The sensor of a service; nil where the service measures no changing value.
    init?(_ service: MutableService, motion: Motion) {
        guard let (data, measure) = Self.measurement(of: service.uuid, motion: motion),
            let data = service.characteristics(withUUID: data).first
        else { return nil }
        self.data = data
        self.measure = measure
        let settings = service.characteristics.filter { $0.propertyEnabled(.write) }
        enabled = settings.first { !Self.periods.contains($0.uuid) }
        period = settings.first { Self.periods.contains($0.uuid) }
    }

    var isOn: Bool { mode != 0 }

    /// The time from sample to sample.
    var interval: Duration {
        // A byte of 10 ms each; 0 means the same as 1. Sensors without a choice take a second.
        .milliseconds(10 * max(Int(period?.value?.first ?? 100), 1))
    }

    /// The sample with a number; nil when it does not measure.
    func sample(_ index: Int) -> Bytes? { isOn ? measure(index, mode) : nil }

    private var mode: UInt8 { enabled.map { $0.value?.first ?? 0 } ?? 1 }

    private static let periods: Set<BluetoothUUID> = [
        TISensorTag.AccelerometerService.UpdatePeriod.uuid, TISensorTag.MagnetometerService.UpdatePeriod.uuid,
    ]

    private typealias Measurement = (BluetoothUUID, @Sendable (Int, UInt8) -> Bytes?)

    private static func measurement(of service: BluetoothUUID, motion: Motion) -> Measurement? {
        switch service {
        case TISensorTag.AccelerometerService.uuid:
            typealias Data = TISensorTag.AccelerometerService.Data
            return (
                Data.uuid,
                { index, _ in
                    let (x, y, z) = motion.acceleration(index)
                    return bytes(try? Data(x: x, y: y, z: z))
                }
            )
        case TISensorTag.MagnetometerService.uuid:
            // The earth's field, seen by a board that turns.
            typealias Data = TISensorTag.MagnetometerService.Data
            return (
                Data.uuid, { index, _ in bytes(try? Data(x: 20 * wave(index), y: 20 * wave(index + 16), z: -44)) }
            )
        case TISensorTag.GyroscopeService.uuid:
            typealias Data = TISensorTag.GyroscopeService.Data
            return (
                Data.uuid,
                { index, mode in
                    let axes = (0..<3).map { mode >> $0 & 1 == 1 ? 90 * wave(index + 7 * $0) : 0 }
                    return bytes(try? Data(x: axes[0], y: axes[1], z: axes[2]))
                }
            )
        case TISensorTag.TemperatureService.uuid:
            typealias Data = TISensorTag.TemperatureService.Data
            return (Data.uuid, { index, _ in bytes(try? Data(object: 30 + 4 * wave(index), ambient: 24)) })
        case TISensorTag.BarometerService.uuid:
            // Its other mode reads the coefficients, which are there from the start.
            typealias Data = TISensorTag.BarometerService.Data
            return (
                Data.uuid,
                { index, mode in
                    guard mode == TISensorTag.BarometerService.Enabled.yes.rawValue else { return nil }
                    return bytes(Data(temperatureRaw: -2343, pressureRaw: UInt16(33_995 + 40 * wave(index))))
                }
            )
        case TISensorTag.HygrometerService.uuid:
            typealias Data = TISensorTag.HygrometerService.Data
            return (
                Data.uuid, { index, _ in bytes(try? Data(temperature: 24, humidity: 45 + 5 * wave(index))) }
            )
        case TISensorTag.KeyPressedService.uuid:
            typealias Data = TISensorTag.KeyPressedService.Data
            return (Data.uuid, { index, _ in bytes(Data(rawValue: UInt8(index % 4))) })
        default: return nil
        }
    }

    /// From −1 to 1 and back in 63 samples.
    private static func wave(_ index: Int) -> Double { sin(Double(index) / 10) }

    private static func bytes(_ value: (some ByteEncodable)?) -> Bytes? { value.map { SerDe.serialize($0) } }
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
