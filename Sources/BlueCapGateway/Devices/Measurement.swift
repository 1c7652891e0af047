// SPDX-License-Identifier: MIT

import BlueCapBeacon

/// A value of a device that is published under a key.
struct Measurement: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case number(Double)
        case state(Bool)
        case text(String)
        /// The device says that it does not know the value.
        case unknown
    }

    /// The key in the state of the device: the name of the kind, and from the second of a kind on a number.
    var key: String
    /// The key without a number.
    var name: String
    var kind: EntityKind
    var value: Value

    /// The names of all values of frames, and of the values that have a number.
    static let names = names { _ in true }
    static let numbers = names { !$0.isBinary && !$0.isText }

    private static func names(where isWanted: (EntityKind) -> Bool) -> Set<String> {
        Set(
            ((UInt8.min...UInt8.max).compactMap { BTHomeObject($0, 0) } + [BTHomeObject(text: "")].compactMap(\.self))
                .filter(\.isMeasurement).compactMap(nameAndKind).filter { isWanted($0.kind) }.map(\.name))
    }

    /// `"temperature"` of `"temperature_2"`.
    static func name(ofKey key: String) -> String {
        guard let end = key.lastIndex(of: "_"), Int(key[key.index(after: end)...]) != nil else { return key }
        return String(key[..<end])
    }

    /// Whether it differs from an earlier one of its key by a threshold; nil for any difference.
    func differs(from earlier: Measurement?, by threshold: Double?) -> Bool {
        guard let threshold, let earlier, case .number(let new) = value, case .number(let old) = earlier.value else {
            return self != earlier
        }
        return kind != earlier.kind || abs(new - old) >= threshold
    }

    /// The measurements of a frame, in its order. Objects that are no state, such as a press of a button, are left out.
    static func all(in frame: BTHome) -> [Measurement] {
        var counts: [String: Int] = [:]
        return frame.measurements.compactMap { object in
            guard let (name, kind) = known[Int(object.id)] ?? nameAndKind(of: object),
                let value = value(of: object, kind)
            else { return nil }
            let count = counts[name, default: 0] + 1
            counts[name] = count
            return Measurement(key: count == 1 ? name : "\(name)_\(count)", name: name, kind: kind, value: value)
        }
    }

    private static func nameAndKind(of object: BTHomeObject) -> (name: String, kind: EntityKind)? {
        EntityKind.bthome(object).map { (TopicText.level(object.name.lowercased()), $0) }
    }

    /// The names and kinds of the objects with a number, at the places of their identifiers.
    private static let known = (UInt8.min...UInt8.max).map { BTHomeObject($0, 0).flatMap { nameAndKind(of: $0) } }

    private static func value(of object: BTHomeObject, _ kind: EntityKind) -> Value? {
        guard let number = object.number else { return kind.isText ? .text(object.text) : nil }
        return kind.isBinary ? .state((number != 0) != kind.isInverted) : .number(number)
    }
}
