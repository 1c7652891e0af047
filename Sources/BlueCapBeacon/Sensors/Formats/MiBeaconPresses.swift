// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The presses in objects of MiBeacon, whose meaning depends on the product.
enum MiBeaconPresses {
    /// The number of buttons of remote controls, whose objects have the number of the button.
    private static let remotes: [UInt16: Int] = [0x0153: 6, 0x068E: 6, 0x04E6: 6, 0x03BF: 9]
    /// The buttons that are pressed together, by the number in the object, of switches with one to three buttons.
    private static let switches: [UInt16: [[Int]]] = [
        0x1568: [[1]], 0x1569: [[1], [2], [1, 2]], 0x0DFD: [[1], [2], [3], [1, 2], [2, 3], [1, 3], [1, 2, 3]],
    ]
    /// Products with one button.
    private static let buttons: Set<UInt16> = [0x0A8D, 0x07BF, 0x0997, 0x0863]
    private static let dimmer: UInt16 = 0x03B6
    private static let cube: UInt16 = 0x04E1
    private static let twoButtons: UInt16 = 0x5968
    private static let twoTogether: UInt16 = 0x1949
    private static let together: [UInt8: [Int]] = [1: [1], 2: [2], 3: [1, 2]]
    private static let oneButton: UInt16 = 0x2387
    /// A product that says all its presses with one object.
    private static let oneObject: UInt16 = 0x1C10
    private static let ownActions: [UInt8: SensorEvent.Action] = [1: .press, 8: .longPress, 15: .doublePress]
    private static let fourButtons: Set<UInt16> = [0x3A61, 0x3E17]
    private static let oneButtons: Set<UInt16> = [0x520B, 0x78A3]

    /// The events in an object; none for an object of another kind.
    static func events(_ id: UInt16, _ bytes: Bytes.SubSequence, product: UInt16) -> [SensorEvent] {
        if id == 0x1001 {
            guard bytes.count == 3 else { return [] }
            let bytes = Bytes(bytes)
            return used(Int(bytes[0]), value: Int(bytes[1]), press: bytes[2], product)
        }
        let byte = bytes.first
        if id == 0x4A13 { return byte == 1 ? [SensorEvent(.button, 1, .press)] : [] }
        guard let action = actions[id & 0xFF] else { return [] }
        if id == 0x4E0C, product == oneObject {
            return byte.flatMap { ownActions[$0] }.map { [SensorEvent(.button, 1, $0)] } ?? []
        }
        return numbers(id & 0xFF00, byte, product).map { SensorEvent(.button, $0, action) }
    }

    private static let actions: [UInt16: SensorEvent.Action] = [0x0C: .press, 0x0D: .doublePress, 0x0E: .longPress]

    /// The buttons of an object that is named after the kind of press.
    private static func numbers(_ group: UInt16, _ byte: UInt8?, _ product: UInt16) -> [Int] {
        switch (group, product) {
        case (0x4A00, twoButtons): byte.map { $0 <= 1 ? [Int($0) + 1] : [] } ?? []
        case (0x4A00, _): [1]
        case (0x4E00, twoTogether): byte.flatMap { together[$0] } ?? []
        case (0x4E00, oneButton): [1]
        case (0x5600, _) where fourButtons.contains(product):
            byte.map { (1...4).contains($0) ? [Int($0)] : [] } ?? []
        case (0x5600, _) where oneButtons.contains(product): [1]
        default: []
        }
    }

    /// The events of the object of all buttons: its first byte is a number, its last one the kind of press.
    private static func used(_ number: Int, value: Int, press: UInt8, _ product: UInt16) -> [SensorEvent] {
        if product == dimmer { return dimmed(number, value: value, press: press).map { [$0] } ?? [] }
        if product == cube {
            return number <= 1 ? [SensorEvent(.dimmer, 1, number == 0 ? .rotateRight : .rotateLeft)] : []
        }
        if let buttons = switches[product] {
            guard buttons.indices.contains(number), press <= 2 else { return [] }
            let action = [SensorEvent.Action.press, .longPress, .doublePress][Int(press)]
            return buttons[number].map { SensorEvent(.button, $0, action) }
        }
        let actions: [UInt8: SensorEvent.Action] = [
            0: .press, 1: .doublePress, 2: .longPress, 5: .press, 6: .longPress,
        ]
        guard let action = actions[press], number < remotes[product] ?? 256 else { return [] }
        return [SensorEvent(.button, buttons.contains(product) ? 1 : number + 1, action)]
    }

    /// The event of a dimmer, which sends how often or how long it is pressed, and how far it is turned.
    private static func dimmed(_ number: Int, value: Int, press: UInt8) -> SensorEvent? {
        switch (press, number) {
        case (3, 0): SensorEvent(.dimmer, 1, .press, count: value)
        case (3, 1): SensorEvent(.dimmer, 1, .longPress, count: value)
        case (4, 0):
            value <= 127
                ? SensorEvent(.dimmer, 1, .rotateRight, count: value)
                : SensorEvent(.dimmer, 1, .rotateLeft, count: 256 - value)
        case (4, _):
            number <= 127
                ? SensorEvent(.dimmer, 1, .rotateRightPressed, count: number)
                : SensorEvent(.dimmer, 1, .rotateLeftPressed, count: 256 - number)
        default: nil
        }
    }
}
