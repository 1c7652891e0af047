// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Writes a frame of BTHome that has given values.
enum BTHomeFrameWriter {
    /// The names of all values.
    static let names = Set(BTHomeKind.all.values.filter(isValue).map(\.name)).sorted()

    /// A frame with the nearest objects. Those of one name have one identifier, so that they keep their order.
    static func frame(_ values: [String: SensorSetting], counter: UInt64) throws(SensorFrameError) -> BTHome {
        var groups: [String: [(key: String, ordinal: Int, value: SensorSetting)]] = [:]
        for (key, value) in values {
            let (name, ordinal) = SensorFrameWriter.parts(of: key)
            let isWhole = names.contains(key)
            groups[isWhole ? key : String(name), default: []].append((key, isWhole ? 1 : ordinal, value))
        }
        var objects = [BTHomeObject(0, Double(counter % 256))].compactMap(\.self)
        for (name, group) in groups.sorted(by: { $0.key < $1.key }) {
            let group = group.sorted { $0.ordinal < $1.ordinal }
            for (index, (key, ordinal, value)) in group.enumerated() {
                if !names.contains(name) { throw error(key, "BTHome has no such value") }
                if ordinal != index + 1 { throw error(key, "'\(name)' has no number \(index + 1), which comes before") }
                if value == .unknown { throw error(key, "BTHome cannot say that it is not known: leave it out") }
            }
            guard let found = nearest(name, group.map(\.value)) else {
                throw error(group[0].key, "no object of BTHome has this value")
            }
            objects += found
        }
        let frame = BTHome(objects: objects.sorted { $0.id < $1.id })
        // The longest advertisement has room for so many bytes of service data.
        guard frame.encodedByteCount <= 250 else {
            throw SensorFrameError(part: .values, reason: "they are too many for one frame")
        }
        return frame
    }

    private static func error(_ key: String, _ reason: String) -> SensorFrameError {
        SensorFrameError(part: .value(key), reason: reason)
    }

    private static func isValue(_ kind: BTHomeKind) -> Bool {
        kind.isMeasurement && kind.size != nil && !kind.isTurn && !kind.isVersion
    }

    /// The objects of one identifier that are the nearest to all values.
    private static func nearest(_ name: String, _ values: [SensorSetting]) -> [BTHomeObject]? {
        var best: (distance: Double, objects: [BTHomeObject])?
        for (id, kind) in BTHomeKind.all.sorted(by: { $0.key < $1.key }) where kind.name == name && isValue(kind) {
            let pairs = values.compactMap { value -> (distance: Double, object: BTHomeObject)? in
                guard let number = value.number(states: kind.sensorKind?.states, unit: kind.unit),
                    let object = BTHomeObject(id, number)
                else { return nil }
                return (((object.number ?? 0) - number).magnitude, object)
            }
            guard pairs.count == values.count else { continue }
            let distance = pairs.reduce(0) { $0 + $1.distance }
            if best.map({ distance < $0.distance }) ?? true { best = (distance, pairs.map(\.object)) }
        }
        return best?.objects
    }
}
