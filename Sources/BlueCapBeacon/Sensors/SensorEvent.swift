// SPDX-License-Identifier: MIT

/// The press of a button or the turn of a dimmer that a sensor reports in a frame.
///
/// A device sends the frame of an event several times. The number of the frame distinguishes a new event from a
/// repeated one: ``SensorReading/counter`` and ``BTHome/packetNumber``.
public struct SensorEvent: Sendable, Hashable {
    /// The part of a device that is used.
    public enum Part: String, Sendable, CaseIterable {
        /// A button that is pressed.
        case button
        /// A dimmer, or another part that is turned.
        case dimmer
    }

    /// The use of a button or a dimmer. The raw values are Home Assistant's types of events.
    public enum Action: String, Sendable, CaseIterable {
        /// A short press.
        case press
        /// Two short presses.
        case doublePress = "double_press"
        /// Three short presses.
        case triplePress = "triple_press"
        /// A long press.
        case longPress = "long_press"
        /// Two presses, the second of which is long.
        case longDoublePress = "long_double_press"
        /// Three presses, the third of which is long.
        case longTriplePress = "long_triple_press"
        /// A press that goes on.
        case holdPress = "hold_press"
        /// The end of such a press.
        case holdRelease = "hold_release"
        /// A turn to the left.
        case rotateLeft = "rotate_left"
        /// A turn to the right.
        case rotateRight = "rotate_right"
        /// A turn to the left of a dimmer that is pressed.
        case rotateLeftPressed = "rotate_left_pressed"
        /// A turn to the right of a dimmer that is pressed.
        case rotateRightPressed = "rotate_right_pressed"
    }

    /// The part that is used.
    public let part: Part
    /// The number of the button or the dimmer among those of the device, from 1 on.
    public let number: Int
    /// The use of it.
    public let action: Action
    /// The number of steps of a turn, of presses, or of seconds of a long press; nil where the device does not send it.
    public let count: Int?

    package init(_ part: Part, _ number: Int, _ action: Action, count: Int? = nil) {
        (self.part, self.number, self.action, self.count) = (part, number, action, count)
    }
}

extension SensorEvent: CustomStringConvertible {
    /// The part, its number from the second on, the action and the count: `button 2 double press`.
    public var description: String {
        let title = SensorValue.title(part.rawValue, number)
        return "\(title) \(action.rawValue.replacing("_", with: " "))" + (count.map { " \($0)" } ?? "")
    }
}
