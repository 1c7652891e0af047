// SPDX-License-Identifier: MIT

/// The keys that are held while another is pressed, as far as terminals report them.
package struct KeyModifiers: OptionSet, Sendable, Hashable {
    /// The bits, in the order in which xterm numbers them.
    package let rawValue: UInt8

    /// A set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The shift key, reported for keys that have no other character with it.
    package static let shift = Self(rawValue: 1)
    /// The alt or meta key.
    package static let alt = Self(rawValue: 2)
    /// The control key.
    package static let control = Self(rawValue: 4)
}
