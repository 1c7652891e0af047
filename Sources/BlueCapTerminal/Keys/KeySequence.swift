// SPDX-License-Identifier: MIT

/// The meanings of terminals' sequences (xterm's "Control Sequences", and the terminfo entries of rxvt and linux).
enum KeySequence {
    /// The meaning of a sequence behind ESC [.
    enum Meaning: Sendable, Hashable {
        case key(KeyPress)
        case pasteBegins
        case unknown
    }

    /// A byte below 0x80 other than ESC.
    static func single(_ byte: UInt8) -> KeyPress {
        switch byte {
        case 0x00: KeyPress(.character(" "), .control)
        case 0x08, 0x7F: KeyPress(.backspace)
        case 0x09: KeyPress(.tab)
        case 0x0A, 0x0D: KeyPress(.enter)
        case 0x1B: KeyPress(.escape)
        case 0x01...0x1A: KeyPress(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
        case 0x1C...0x1F: KeyPress(.character(Character(Unicode.Scalar(byte + 0x40))), .control)
        default: KeyPress(.character(Character(Unicode.Scalar(byte))))
        }
    }

    /// The key of a sequence behind ESC O; nil for an unknown sequence.
    ///
    /// - Parameters:
    ///   - final: The last byte.
    ///   - modifiers: The digits before it, which only old terminals send.
    static func singleShift(_ final: UInt8, modifiers: [UInt8]) -> KeyPress? {
        let held = number(modifiers[...]).map(Self.modifiers) ?? []
        if let key = letters[final] { return KeyPress(key, held) }
        switch final {
        case UInt8(ascii: "a")...UInt8(ascii: "d"): return letters[final - 0x20].map { KeyPress($0, .control) }
        case UInt8(ascii: "M"): return KeyPress(.enter, held)
        case UInt8(ascii: "j")...UInt8(ascii: "y"):
            // The number pad in its application mode.
            return KeyPress(.character(Character(Unicode.Scalar(final - 0x40))), held)
        default: return nil
        }
    }

    /// The meaning of a sequence behind ESC [.
    ///
    /// - Parameters:
    ///   - final: The last byte.
    ///   - parameters: The bytes between; untrusted.
    static func control(_ final: UInt8, parameters: [UInt8]) -> Meaning {
        let fields = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let numbers = fields.map { number($0) }
        let held = numbers.count > 1 ? modifiers(numbers[1] ?? 1) : []
        switch final {
        case UInt8(ascii: "~"): return tilde(numbers, held)
        case UInt8(ascii: "^"), UInt8(ascii: "$"), UInt8(ascii: "@"):
            guard let code = numbers.first.flatMap(\.self), let key = codes[code] else { return .unknown }
            let rxvt: KeyModifiers =
                final == UInt8(ascii: "^") ? .control : final == UInt8(ascii: "$") ? .shift : [.control, .shift]
            return .key(KeyPress(key, rxvt))
        case UInt8(ascii: "u"): return character(numbers.first.flatMap(\.self), held)
        case UInt8(ascii: "Z"): return .key(KeyPress(.tab, .shift))
        case UInt8(ascii: "a")...UInt8(ascii: "d") where parameters.isEmpty:
            return letters[final - 0x20].map { .key(KeyPress($0, .shift)) } ?? .unknown
        default:
            // `1` stands before modifiers; anything else is a report and no key.
            guard let key = letters[final], numbers.isEmpty || numbers[0] == 1 || fields == [[]] else {
                return .unknown
            }
            return .key(KeyPress(key, held))
        }
    }

    private static func tilde(_ numbers: [Int?], _ held: KeyModifiers) -> Meaning {
        guard let code = numbers.first.flatMap(\.self) else { return .unknown }
        if code == 200 { return .pasteBegins }
        if code == 27, numbers.count == 3 { return character(numbers[2], held) }
        return codes[code].map { .key(KeyPress($0, held)) } ?? .unknown
    }

    /// A key that is named by its character: some terminals do so for keys without a byte of their own.
    private static func character(_ code: Int?, _ held: KeyModifiers) -> Meaning {
        guard let code, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return .unknown }
        if code == 27 { return .key(KeyPress(.escape, held)) }
        if code < 0x20 || code == 0x7F {
            let key = single(UInt8(code))
            return .key(KeyPress(key.key, key.modifiers.union(held)))
        }
        if scalar.properties.generalCategory == .control { return .unknown }
        // Shift is in the character.
        return .key(KeyPress(.character(Character(scalar)), held.subtracting(.shift)))
    }

    /// A number of at most six digits, up to a colon, behind which stand parts of it.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        let whole = digits.prefix { $0 != UInt8(ascii: ":") }
        guard (1...7).contains(whole.count) else { return nil }
        var number = 0
        for digit in whole {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }

    /// xterm sends one more than the bits; its bit for meta means alt here.
    private static func modifiers(_ number: Int) -> KeyModifiers {
        let bits = max(number - 1, 0)
        var held = KeyModifiers(rawValue: UInt8(bits & 7))
        if bits & 8 != 0 { held.insert(.alt) }
        return held
    }

    private static let letters: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "P"): .function(1),
        UInt8(ascii: "Q"): .function(2), UInt8(ascii: "R"): .function(3), UInt8(ascii: "S"): .function(4),
    ]

    private static let codes: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6),
        18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12),
    ]
}
