// SPDX-License-Identifier: MIT

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
