// SPDX-License-Identifier: MIT

/// Turns the bytes of a terminal into key presses.
///
/// It is a machine without a clock: bytes go in, in portions of any size, and keys come out. It understands the
/// sequences of xterm and of the terminals that follow it, of rxvt and of Linux's console. A sequence that it does not
/// know is left out, and so are a terminal's answers. Bytes that are not UTF-8 become U+FFFD.
///
/// The bytes alone do not show whether ESC is the key or the beginning of another key's sequence. After a portion that
/// leaves ``isAmbiguous`` true, the caller waits for a moment, about 50 ms, and calls ``timeOut()`` if nothing came.
package struct KeyDecoder: Sendable {
    /// How many bytes of a pasted text are kept.
    package static let maximumPasteLength = 16_384
    /// How many bytes of parameters a sequence may have; one with more is left out.
    private static let maximumParameters = 32

    private enum State: Sendable {
        case ground
        /// Behind ESC, or behind two of them.
        case escape(isDoubled: Bool)
        /// Behind ESC O.
        case singleShift(modifiers: [UInt8], isAlt: Bool)
        /// Behind ESC [.
        case control(parameters: [UInt8], isAlt: Bool)
        /// Behind ESC [ [, as Linux's console sends it.
        case console
        /// In a string for a program that asked for it: behind ESC P, ESC ], ESC ^, ESC _ or ESC X.
        case string(introducer: UInt8, isEmpty: Bool, isEnding: Bool)
        case paste(PastedText)
    }

    private var state = State.ground
    private var text = UTF8Decoder()

    package init() {}

    /// A Boolean value that is true if the bytes so far may be a key of their own or the beginning of a longer
    /// sequence.
    package var isAmbiguous: Bool {
        switch state {
        case .escape: true
        case .singleShift(let modifiers, _): modifiers.isEmpty
        case .control(let parameters, _): parameters.isEmpty
        case .console: true
        case .string(_, let isEmpty, _): isEmpty
        case .ground, .paste: false
        }
    }

    /// The keys that a portion completes.
    package mutating func decode(_ bytes: some Sequence<UInt8>) -> [KeyPress] {
        var keys: [KeyPress] = []
        for byte in bytes { take(byte, into: &keys) }
        return keys
    }

    /// The keys that the bytes so far are, now that nothing follows them.
    package mutating func timeOut() -> [KeyPress] {
        defer { if isAmbiguous { state = .ground } }
        switch state {
        case .escape(let isDoubled): return [KeyPress](repeating: KeyPress(.escape), count: isDoubled ? 2 : 1)
        case .singleShift([], _): return [KeyPress(.character("O"), .alt)]
        case .control([], _): return [KeyPress(.character("["), .alt)]
        case .console: return [KeyPress(.character("["), .alt), .character("[")]
        case .string(let introducer, true, _):
            return [KeyPress(.character(Character(Unicode.Scalar(introducer))), .alt)]
        default: return []
        }
    }

    private mutating func take(_ byte: UInt8, into keys: inout [KeyPress]) {
        switch state {
        case .ground: takeGround(byte, into: &keys)
        case .escape(let isDoubled): takeEscape(byte, isDoubled, into: &keys)
        case .singleShift(let modifiers, let isAlt):
            if (0x30...0x39).contains(byte) || byte == 0x3B {
                // Some terminals put modifiers between; more of them than fit mean nothing.
                let kept = modifiers.count < Self.maximumParameters ? modifiers + [byte] : modifiers
                state = .singleShift(modifiers: kept, isAlt: isAlt)
            } else if let key = KeySequence.singleShift(byte, modifiers: modifiers) {
                finish(key, isAlt, into: &keys)
            } else {
                abandon(byte, into: &keys)
            }
        case .control(let parameters, let isAlt): takeControl(byte, parameters, isAlt, into: &keys)
        case .console:
            state = .ground
            if (0x41...0x45).contains(byte) {
                keys.append(KeyPress(.function(Int(byte) - 0x40)))
            } else if !(0x20...0x7E).contains(byte) {
                takeGround(byte, into: &keys)
            }
        case .string(let introducer, let isEmpty, let isEnding): takeString(byte, introducer, isEmpty, isEnding, &keys)
        case .paste(var pasted):
            // Let go of the copy in `state`, so that the bytes are not copied one by one.
            state = .ground
            if let text = pasted.take(byte) {
                keys.append(KeyPress(.paste(text)))
            } else {
                state = .paste(pasted)
            }
        }
    }

    private mutating func takeGround(_ byte: UInt8, into keys: inout [KeyPress]) {
        if byte >= 0x80 || text.isPending {
            for scalar in text.decode(byte) {
                if scalar.value < 0x80 {
                    takeASCII(UInt8(scalar.value), into: &keys)
                } else if scalar.properties.generalCategory != .control {
                    keys.append(.character(Character(scalar)))
                }
            }
        } else {
            takeASCII(byte, into: &keys)
        }
    }

    private mutating func takeASCII(_ byte: UInt8, into keys: inout [KeyPress]) {
        if byte == 0x1B {
            state = .escape(isDoubled: false)
        } else {
            keys.append(KeySequence.single(byte))
        }
    }

    private mutating func takeEscape(_ byte: UInt8, _ isDoubled: Bool, into keys: inout [KeyPress]) {
        switch byte {
        case 0x1B:
            // The first of three is a key by itself.
            if isDoubled { keys.append(KeyPress(.escape)) }
            state = .escape(isDoubled: true)
        case UInt8(ascii: "["): state = .control(parameters: [], isAlt: isDoubled)
        case UInt8(ascii: "O"): state = .singleShift(modifiers: [], isAlt: isDoubled)
        case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "X"):
            if isDoubled { keys.append(KeyPress(.escape)) }
            state = .string(introducer: byte, isEmpty: true, isEnding: false)
        case 0..<0x80:
            state = .ground
            if isDoubled { keys.append(KeyPress(.escape)) }
            var key = KeySequence.single(byte)
            key.modifiers.insert(.alt)
            keys.append(key)
        default:
            // Alt with a letter beyond ASCII: the key counts, and the letter follows.
            state = .ground
            keys += [KeyPress](repeating: KeyPress(.escape), count: isDoubled ? 2 : 1)
            takeGround(byte, into: &keys)
        }
    }

    private mutating func takeControl(
        _ byte: UInt8, _ parameters: [UInt8], _ isAlt: Bool, into keys: inout [KeyPress]
    ) {
        switch byte {
        case UInt8(ascii: "[") where parameters.isEmpty: state = .console
        // rxvt ends sequences of shifted keys with a sign that is a parameter elsewhere.
        case UInt8(ascii: "$") where !parameters.isEmpty: finish(byte, parameters, isAlt, into: &keys)
        case 0x20...0x3F:
            let kept = parameters.count <= Self.maximumParameters ? parameters + [byte] : parameters
            state = .control(parameters: kept, isAlt: isAlt)
        case 0x40...0x7E: finish(byte, parameters, isAlt, into: &keys)
        default: abandon(byte, into: &keys)
        }
    }

    private mutating func finish(
        _ final: UInt8, _ parameters: [UInt8], _ isAlt: Bool, into keys: inout [KeyPress]
    ) {
        state = .ground
        if parameters.count > Self.maximumParameters { return }
        switch KeySequence.control(final, parameters: parameters) {
        case .key(let key): finish(key, isAlt, into: &keys)
        case .pasteBegins: state = .paste(PastedText(maximum: Self.maximumPasteLength))
        case .unknown: break
        }
    }

    private mutating func finish(_ key: KeyPress, _ isAlt: Bool, into keys: inout [KeyPress]) {
        state = .ground
        var key = key
        if isAlt { key.modifiers.insert(.alt) }
        keys.append(key)
    }

    /// A byte that cannot be part of a sequence ends it, and counts by itself.
    private mutating func abandon(_ byte: UInt8, into keys: inout [KeyPress]) {
        state = .ground
        if byte < 0x20 || byte >= 0x7F { takeGround(byte, into: &keys) }
    }

    private mutating func takeString(
        _ byte: UInt8, _ introducer: UInt8, _ isEmpty: Bool, _ isEnding: Bool, _ keys: inout [KeyPress]
    ) {
        if isEnding {
            state = .ground
            // ESC \ ends a string; anything else behind ESC is a key, and ends it too.
            if byte != UInt8(ascii: "\\") { takeEscape(byte, false, into: &keys) }
            return
        }
        switch byte {
        case 0x07, 0x18, 0x1A: state = .ground
        case 0x1B: state = .string(introducer: introducer, isEmpty: false, isEnding: true)
        default: state = .string(introducer: introducer, isEmpty: false, isEnding: false)
        }
    }
}

/// Decodes UTF-8 byte by byte (Unicode 15, table 3-7); invalid bytes become U+FFFD.
struct UTF8Decoder: Sendable {
    private var value: UInt32 = 0
    private var remaining = 0
    /// The valid range of the next byte.
    private var range: ClosedRange<UInt8> = 0x80...0xBF

    var isPending: Bool { remaining > 0 }

    /// The characters that a byte completes: none or one, or two where it ends one that is broken off.
    mutating func decode(_ byte: UInt8) -> [Unicode.Scalar] {
        if remaining > 0 {
            guard range.contains(byte) else {
                remaining = 0
                return ["\u{FFFD}"] + decode(byte)
            }
            value = value << 6 | UInt32(byte & 0x3F)
            range = 0x80...0xBF
            remaining -= 1
            return remaining == 0 ? [Unicode.Scalar(value) ?? "\u{FFFD}"] : []
        }
        switch byte {
        case 0x00...0x7F: return [Unicode.Scalar(byte)]
        case 0xC2...0xDF: begin(byte & 0x1F, 1)
        case 0xE0: begin(0, 2, 0xA0...0xBF)
        case 0xED: begin(0x0D, 2, 0x80...0x9F)
        case 0xE1...0xEF: begin(byte & 0x0F, 2)
        case 0xF0: begin(0, 3, 0x90...0xBF)
        case 0xF4: begin(4, 3, 0x80...0x8F)
        case 0xF1...0xF3: begin(byte & 0x07, 3)
        default: return ["\u{FFFD}"]
        }
        return []
    }

    private mutating func begin(_ bits: UInt8, _ remaining: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) {
        value = UInt32(bits)
        self.remaining = remaining
        self.range = range
    }
}
