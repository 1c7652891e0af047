// SPDX-License-Identifier: MIT

/// A key that was pressed, with the modifiers that were held.
package struct KeyPress: Sendable, Hashable {
    /// The key.
    package var key: Key
    /// The modifiers.
    package var modifiers: KeyModifiers

    /// A key with modifiers.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - modifiers: The modifiers that were held.
    package init(_ key: Key, _ modifiers: KeyModifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// A letter that was pressed with the control key.
    package static func control(_ letter: Character) -> KeyPress { KeyPress(.character(letter), .control) }

    /// A character that was pressed alone.
    package static func character(_ character: Character) -> KeyPress { KeyPress(.character(character)) }

    /// The character, if it was pressed without control and alt.
    package var text: Character? {
        guard case .character(let character) = key, modifiers.isDisjoint(with: [.control, .alt]) else { return nil }
        return character
    }
}
