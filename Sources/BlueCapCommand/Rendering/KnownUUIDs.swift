// SPDX-License-Identifier: MIT

import BlueCap

/// Names and values of the services and characteristics that the package has profiles for.
enum KnownUUIDs {
    private static let names: [BluetoothUUID: String] = [
        TISensorTag.AccelerometerService.uuid: TISensorTag.AccelerometerService.name,
        TISensorTag.AccelerometerService.Data.uuid: TISensorTag.AccelerometerService.Data.name,
        TISensorTag.AccelerometerService.Enabled.uuid: TISensorTag.AccelerometerService.Enabled.name,
        TISensorTag.AccelerometerService.UpdatePeriod.uuid: TISensorTag.AccelerometerService.UpdatePeriod.name,
        BatteryService.uuid: BatteryService.name,
        BatteryService.Level.uuid: BatteryService.Level.name,
    ]

    /// The name of a service or characteristic; its UUID, as short as it can be written, where none is known.
    static func name(_ uuid: BluetoothUUID) -> String { names[uuid] ?? uuid.description }

    /// A value in the words of its characteristic's type; nil where the type is not known or the bytes do not fit it.
    static func text(_ value: Bytes, of uuid: BluetoothUUID) -> String? {
        switch uuid {
        case TISensorTag.AccelerometerService.Data.uuid:
            guard let sample: TISensorTag.AccelerometerService.Data = try? SerDe.deserialize(value) else { return nil }
            let axes = [("x", sample.x), ("y", sample.y), ("z", sample.z)]
            return axes.map { "\($0) \(TextLayout.decimal($1, digits: 2, signed: true))" }.joined(separator: "  ")
                + " g"
        case TISensorTag.AccelerometerService.Enabled.uuid:
            let enabled: TISensorTag.AccelerometerService.Enabled? = try? SerDe.deserialize(value)
            return enabled.map { $0.boolValue ? "yes" : "no" }
        case TISensorTag.AccelerometerService.UpdatePeriod.uuid:
            let period: TISensorTag.AccelerometerService.UpdatePeriod? = try? SerDe.deserialize(value)
            return period.map { "\($0.milliseconds) ms" }
        case BatteryService.Level.uuid:
            let level: BatteryService.Level? = try? SerDe.deserialize(value)
            return level.map { "\($0.percent) %" }
        default:
            return nil
        }
    }

    /// The bytes as text, where they are UTF-8 that can be shown.
    static func utf8Text(_ value: Bytes) -> String? {
        guard !value.isEmpty, let text = String(validating: value, as: UTF8.self) else { return nil }
        return TextLayout.printable(text) == text ? text : nil
    }
}
