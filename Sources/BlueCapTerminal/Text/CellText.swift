// SPDX-License-Identifier: MIT

/// A text cut into the contents of a screen's cells.
///
/// Terminals disagree on how wide a sequence of emoji, a flag or a variation is. So that columns stay columns
/// everywhere, a text is reduced to the parts that all of them show alike: a base character with its combining marks in
/// each cell or pair of cells. Of emoji that are joined the first remains, without its skin tone; the letters of a flag
/// become letters. Characters that a terminal would obey become U+FFFD.
package struct CellText: Sequence, Sendable {
    /// The content of a cell, or of two where it is wide.
    package struct Piece: Sendable, Hashable {
        /// A base character and its combining marks.
        package var text: String
        /// 1 or 2 columns.
        package var width: Int
    }

    /// How many combining marks a base character keeps: more than any language writes, fewer than a hostile name has.
    static let maximumMarks = 4

    private let text: String

    package init(_ text: String) { self.text = text }

    package func makeIterator() -> Iterator { Iterator(scalars: text.unicodeScalars.makeIterator()) }

    /// The number of columns that the pieces take.
    package var width: Int { reduce(0) { $0 + $1.width } }

    /// Gives the pieces.
    package struct Iterator: IteratorProtocol {
        fileprivate var scalars: String.UnicodeScalarView.Iterator
        private var held: Unicode.Scalar?

        fileprivate init(scalars: String.UnicodeScalarView.Iterator) { self.scalars = scalars }

        /// The next piece; nil at the end.
        package mutating func next() -> Piece? {
            guard var base = held ?? scalars.next() else { return nil }
            held = nil
            // A mark at the beginning, or behind one that was replaced, has nothing to stand on.
            if TerminalText.width(of: base) == 0 { base = "\u{FFFD}" }
            if !TerminalText.isPrintable(base) { base = "\u{FFFD}" }
            if TerminalText.isRegionalIndicator(base) {
                base = Unicode.Scalar(base.value - 0x1F1E6 + 0x41) ?? "\u{FFFD}"
            }
            var piece = Piece(text: String(base), width: TerminalText.width(of: base))
            var marks = 0
            let isEmoji = Self.isEmoji(base)
            while let scalar = scalars.next() {
                if CellText.isDropped(scalar) || isEmoji && scalar.properties.isEmojiModifier { continue }
                if scalar == TerminalText.zeroWidthJoiner {
                    // A character joined to an emoji would be drawn beside it by a terminal that does not know the
                    // pair.
                    guard isEmoji, let joined = scalars.next(), !Self.isEmoji(joined) else { continue }
                    held = joined
                    break
                }
                guard TerminalText.width(of: scalar) == 0, TerminalText.isPrintable(scalar) else {
                    held = scalar
                    break
                }
                if marks < CellText.maximumMarks { piece.text.unicodeScalars.append(scalar) }
                marks += 1
            }
            return piece
        }

        /// Digits count as emoji for Unicode, but not here.
        private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isEmoji && !scalar.isASCII
        }
    }

    /// Selectors that change how a character looks, where a terminal knows them, and take no column.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isVariationSelector }
}
