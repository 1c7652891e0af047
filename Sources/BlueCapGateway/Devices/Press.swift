// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapSerDe

/// A press of a button or a turn of a dimmer: an event, and no state of its device.
struct Press: Hashable, Sendable {
    /// The parts of a device that are pressed.
    enum Sender: Hashable, Sendable {
        case button
        case dimmer

        /// The types of its events, by the names that Home Assistant's integration of BTHome has for them.
        var types: [String] {
            switch self {
            case .button: Press.buttonTypes.values.sorted()
            case .dimmer: ["rotate_left", "rotate_right"]
            }
        }
    }

    /// One of the types of its sender.
    var type: String
    /// How far a dimmer was turned.
    var steps: Int?

    /// The types of presses by their bytes (bthome.io/format, "Event"). Another byte is no press, also that for none.
    private static let buttonTypes: [UInt8: String] = [
        0x01: "press", 0x02: "double_press", 0x03: "triple_press", 0x04: "long_press", 0x05: "long_double_press",
        0x06: "long_triple_press", 0x80: "hold_press",
    ]

    /// The sender of an object of BTHome; nil for an object that is none of a press.
    static func sender(of object: BTHomeObject) -> Sender? {
        switch object.id {
        case 0x3A: .button
        case 0x3C: .dimmer
        default: nil
        }
    }

    /// The press in an object of a sender; nil where nothing was pressed.
    init?(_ object: BTHomeObject) {
        switch Self.sender(of: object) {
        case .button:
            guard let type = object.bytes.first.flatMap({ Self.buttonTypes[$0] }) else { return nil }
            self.init(type: type)
        case .dimmer:
            guard object.bytes.count == 2, let turn = BTHomeObject.Turn(rawValue: object.bytes[0]),
                object.bytes[1] > 0
            else { return nil }
            self.init(type: turn == .left ? "rotate_left" : "rotate_right", steps: Int(object.bytes[1]))
        case nil: return nil
        }
    }

    init(type: String, steps: Int? = nil) { (self.type, self.steps) = (type, steps) }
}
#endif
