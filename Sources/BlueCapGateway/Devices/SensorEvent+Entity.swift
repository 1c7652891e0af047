// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon

extension SensorEvent {
    /// Creates the event of a button or a dimmer with a key; nil for another key.
    init?(key: String, _ action: Action, count: Int?) {
        let name = Measurement.name(ofKey: key)
        guard let part = Part(rawValue: name), let number = name == key ? 1 : Int(key.dropFirst(name.count + 1)),
            number > 0
        else { return nil }
        self.init(part, number, action, count: count)
        if self.key != key { return nil }
    }

    /// The key of the button or the dimmer among the values of the device.
    var key: String { Measurement.key(part.rawValue, number) }
}

extension SensorEvent.Part {
    /// The part of an object of BTHome; nil for an object that is a state.
    init?(_ object: BTHomeObject) {
        switch object.id {
        case 0x3A: self = .button
        case 0x3C: self = .dimmer
        default: return nil
        }
    }

    /// The types of its events for Home Assistant.
    var types: [String] {
        let all = SensorEvent.Action.allCases.map(\.rawValue)
        return self == .button ? all.filter { !$0.hasPrefix("rotate") } : all
    }
}
#endif
