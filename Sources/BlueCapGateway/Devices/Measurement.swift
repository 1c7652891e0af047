// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon

/// A value of a device that is published under a key.
struct Measurement: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case number(Double)
        case state(Bool)
        case text(String)
        /// The device says that it does not know the value.
        case unknown
        /// A button, and its press in this frame if there is one: no part of the state.
        case press(SensorEvent?)
    }

    /// The key in the state of the device: the name of the kind, and from the second of a kind on a number.
    var key: String
    /// The key without a number.
    var name: String
    var kind: EntityKind
    var value: Value

    /// The names of the values that have a number, and of all values of frames.
    static let numbers = Set(SensorKind.numbers.compactMap { kindNames[$0] })
    static let names = Set(kindNames.values).union(["text"] + SensorEvent.Part.allCases.map(\.rawValue))

    /// The names of kinds in topics.
    private static let kindNames = Dictionary(
        uniqueKeysWithValues: (SensorKind.numbers + SensorKind.states).map {
            ($0, TopicText.level($0.name.lowercased()))
        })

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

    /// The measurements of a frame, in its order. Objects that are neither state nor event are left out.
    static func all(in frame: BTHome) -> [Measurement] {
        var counts: [String: Int] = [:]
        lazy var events = frame.events
        return frame.measurements.compactMap { object in
            guard let (name, kind) = known[Int(object.id)] ?? nameAndKind(of: object) else { return nil }
            let count = counts[name, default: 0] + 1
            // A button that is not pressed is described, too.
            let press = kind.part.map { part in
                Value.press(events.first { $0.part == part && $0.number == count })
            }
            guard let value = press ?? value(of: object, kind) else { return nil }
            counts[name] = count
            return Measurement(key: key(name, count), name: name, kind: kind, value: value)
        }
    }

    /// The values of a frame of another format, in its order, and the presses.
    static func all(in reading: SensorReading) -> [Measurement] {
        let values = reading.values.compactMap { value -> Measurement? in
            guard let name = kindNames[value.kind] else { return nil }
            let kind = EntityKind(value.kind, unit: value.unit)
            let content = value.number.map { number in
                kind.isBinary ? Value.state((number != 0) != kind.isInverted) : .number(number)
            }
            let key = key(name, value.ordinal)
            return Measurement(key: key, name: name, kind: kind, value: content ?? .unknown)
        }
        let presses = reading.events.map { event in
            Measurement(
                key: event.key, name: event.part.rawValue, kind: EntityKind(part: event.part), value: .press(event))
        }
        return values + presses
    }

    /// `"temperature_2"` of the second temperature.
    static func key(_ name: String, _ number: Int) -> String { number == 1 ? name : "\(name)_\(number)" }

    /// The button of the measurement; nil for a value.
    var button: PressLog.Entry? {
        guard case .press(let press) = value else { return nil }
        return PressLog.Entry(key: key, press: press)
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
#endif
