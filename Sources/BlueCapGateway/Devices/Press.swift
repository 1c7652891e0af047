// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon

/// A press of a button or a turn of a dimmer: an event, and no state of its device.
struct Press: Hashable, Sendable {
    /// The name that Home Assistant has for the action.
    var type: String
    /// How far a dimmer was turned, or how often or for how long it was pressed.
    var steps: Int?

    init(type: String, steps: Int? = nil) { (self.type, self.steps) = (type, steps) }

    init(_ event: SensorEvent) { self.init(type: event.action.rawValue, steps: event.count) }
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
