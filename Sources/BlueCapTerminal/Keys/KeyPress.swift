// SPDX-License-Identifier: MIT

/// A key that was pressed, with the modifiers that were held.
package struct KeyPress: Sendable, Hashable {
    package var key: Key
    package var modifiers: KeyModifiers

    /// A key with modifiers.
    package init(_ key: Key, _ modifiers: KeyModifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    package static func control(_ letter: Character) -> KeyPress { KeyPress(.character(letter), .control) }

    package static func character(_ character: Character) -> KeyPress { KeyPress(.character(character)) }

    /// The character, if it was pressed without control and alt.
    package var text: Character? {
        guard case .character(let character) = key, modifiers.isDisjoint(with: [.control, .alt]) else { return nil }
        return character
    }
}

/// A key of a terminal's keyboard.
package enum Key: Sendable, Hashable {
    /// A key that has a character; with ``KeyModifiers/control`` a lower-case letter or a sign.
    case character(Character)
    case enter
    case tab
    case backspace
    case delete
    case insert
    case escape
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    /// F1 is `function(1)`.
    case function(Int)
    /// No key: text that was pasted, its lines separated by line feeds.
    case paste(String)
}

/// The keys that are held while another is pressed, as far as terminals report them.
package struct KeyModifiers: OptionSet, Sendable, Hashable {
    /// The bits, in the order in which xterm numbers them.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The shift key, reported for keys that have no other character with it.
    package static let shift = Self(rawValue: 1)
    /// The alt or meta key.
    package static let alt = Self(rawValue: 2)
    /// The control key.
    package static let control = Self(rawValue: 4)
}
