// SPDX-License-Identifier: MIT

import BlueCapSerDe

extension BTHome {
    /// The presses of buttons and the turns of dimmers. The place of a button among the buttons of the frame is its
    /// number; one that is not pressed takes its place, and has no event.
    public var events: [SensorEvent] {
        var (buttons, dimmers) = (0, 0)
        return objects.compactMap { object in
            switch object.id {
            case 0x3A:
                buttons += 1
                return Self.presses[object.bytes[0]].map { SensorEvent(.button, buttons, $0) }
            case 0x3C:
                dimmers += 1
                let turn = BTHomeObject.Turn(rawValue: object.bytes[0])
                return turn.map {
                    SensorEvent(
                        .dimmer, dimmers, $0 == .left ? .rotateLeft : .rotateRight, count: Int(object.bytes[1]))
                }
            default: return nil
            }
        }
    }

    private static let presses: [UInt8: SensorEvent.Action] = [
        0x01: .press, 0x02: .doublePress, 0x03: .triplePress, 0x04: .longPress, 0x05: .longDoublePress,
        0x06: .longTriplePress, 0x80: .holdPress, 0x81: .holdRelease,
    ]
}
