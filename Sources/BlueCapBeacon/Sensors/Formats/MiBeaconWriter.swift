// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Writes a frame of MiBeacon, version 5, that has given values: the way back from ``MiBeacon/reading(of:)``.
enum MiBeaconWriter {
    static let writer = SensorFormat.Writer(valueNames: names, draft: draft)

    /// An object that has one value.
    private struct Object: Sendable {
        let kind: SensorKind?
        let id: UInt16
        let byteCount: Int
        /// The integers of a number.
        var integers: ClosedRange<Double> = 0...0
        /// How many integers are one of the unit.
        var steps = 1.0
        /// The integers of the two states.
        var states: [UInt32] = []

        init(_ name: String, _ id: UInt16, _ byteCount: Int, _ integers: ClosedRange<Double>, steps: Double = 1) {
            (kind, self.id, self.byteCount) = (.number(name), id, byteCount)
            (self.integers, self.steps) = (integers, steps)
        }

        init(_ name: String, _ id: UInt16, _ byteCount: Int = 1, off: UInt32 = 0, on: UInt32 = 1) {
            (kind, self.id, self.byteCount, states) = (.state(name), id, byteCount, [off, on])
        }

        /// The object with a value; nil where it cannot have this one.
        func bytes(_ setting: SensorSetting) -> Bytes? {
            guard let kind, let number = setting.number(states: kind.states, unit: kind.units.first ?? "") else {
                return nil
            }
            let integer: UInt32
            if states.isEmpty {
                let nearest = (number * steps).rounded()
                guard integers.contains(nearest) else { return nil }
                integer = UInt32(bitPattern: Int32(nearest))
            } else {
                integer = states[number == 0 ? 0 : 1]
            }
            let head = SerDe.serialize(id) + [UInt8(byteCount)]
            return head + SerDe.serialize(integer).prefix(byteCount)
        }
    }

    private static let objects = [
        Object("temperature", 0x1004, 2, -32768...32767, steps: 10), Object("humidity", 0x1006, 2, 0...1000, steps: 10),
        Object("illuminance", 0x1007, 3, 0...0xFF_FFFF), Object("moisture", 0x1008, 1, 0...100),
        Object("conductivity", 0x1009, 2, 0...0xFFFF), Object("battery", 0x100A, 1, 0...100),
        Object("power", 0x1012), Object("moisture", 0x1014), Object("smoke", 0x1015),
        // The seconds since a motion: of more than 30 it is over.
        Object("motion", 0x1017, 4, off: 120, on: 0), Object("light", 0x1018), Object("opening", 0x1019, off: 1, on: 0),
    ]

    private static let names = objects.reduce(into: [String]()) { names, object in
        if let name = object.kind?.name, !names.contains(name) { names.append(name) }
    }

    /// A sensor for plants, whose objects mean nothing of their own.
    private static let product: UInt16 = 0x0098
    private static let control: UInt16 = 0x5040
    private static let encrypted: UInt16 = 0x08
    private static let addressed: UInt16 = 0x10

    private static func draft(
        _ values: [String: SensorSetting], _ counter: UInt64, _ address: Bytes?, _ isSealed: Bool
    ) throws(SensorFrameError) -> SensorFormat.Draft {
        var list = Bytes()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            func refusal(_ reason: String) -> SensorFrameError { SensorFrameError(part: .value(name), reason: reason) }
            let possible = objects.filter { $0.kind?.name == name }
            if possible.isEmpty { throw refusal("'\(MiBeacon.name)' has no such value: it has \(listed)") }
            if value == .unknown { throw refusal("'\(MiBeacon.name)' cannot say that it is not known: leave it out") }
            guard let object = possible.lazy.compactMap({ $0.bytes(value) }).first else {
                throw refusal("a frame of '\(MiBeacon.name)' cannot have this value")
            }
            list += object
        }
        let control = control | (isSealed ? encrypted : 0) | (address == nil ? 0 : addressed)
        var head = SerDe.serialize(control) + SerDe.serialize(product)
        head += [UInt8(counter % 256)] + (address.map { Bytes($0.reversed()) } ?? [])
        var frame = head + list
        if isSealed {
            // The rest of the counter, and the room for the tag.
            frame += SerDe.serialize(UInt32(truncatingIfNeeded: counter >> 8)).prefix(3) + Bytes(repeating: 0, count: 4)
        }
        return SensorFormat.Draft(frame: frame, body: head.count..<head.count + list.count)
    }

    private static var listed: String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
