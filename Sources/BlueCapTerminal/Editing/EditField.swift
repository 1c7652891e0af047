// SPDX-License-Identifier: MIT

/// A line of text that is being edited, with the keys that Emacs and readline have for it.
package struct EditField: Sendable, Hashable {
    /// The maximum number of characters. Further typed or pasted characters are left out.
    package let maximumCount: Int
    package private(set) var characters: [Character]
    /// The number of characters in front of the cursor.
    package private(set) var cursor: Int
    private var killed: [Character] = []

    /// A field, its cursor at the end.
    package init(_ text: String = "", maximumCount: Int = 4096) {
        self.maximumCount = maximumCount
        characters = Array(text.prefix(maximumCount))
        cursor = characters.count
    }

    package var text: String { String(characters) }

    /// A Boolean value that is true if there is no text.
    package var isEmpty: Bool { characters.isEmpty }

    /// Replaces the text, with the cursor at its end.
    package mutating func replace(with text: String) {
        characters = Array(text.prefix(maximumCount))
        cursor = characters.count
    }

    /// Puts a text in place of some characters, the cursor behind it.
    package mutating func replace(_ range: Range<Int>, with text: String) {
        let range = range.clamped(to: 0..<characters.count)
        let room = maximumCount - (characters.count - range.count)
        let added = Array(text.prefix(max(room, 0)))
        characters.replaceSubrange(range, with: added)
        cursor = range.lowerBound + added.count
    }

    /// Inserts a text at the cursor. A combining mark joins the character in front of it; line feeds become blanks, and
    /// other controls are left out.
    package mutating func insert(_ text: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\t" {
                scalars.append(" ")
            } else if TerminalText.isPrintable(scalar) || scalar == TerminalText.zeroWidthJoiner {
                scalars.append(scalar)
            }
        }
        let room = max(maximumCount - characters.count, 0)
        // Typed characters may combine with the character before them, or with the one behind.
        let before = String(characters[..<cursor]) + String(String(scalars).prefix(room))
        let front = Array(before)
        characters = front + characters[cursor...]
        cursor = front.count
    }

    /// Takes a key that edits.
    ///
    /// - Returns: Whether it was one.
    package mutating func handle(_ press: KeyPress) -> Bool {
        switch (press.key, press.modifiers) {
        case (.character(let character), []): insert(String(character))
        case (.paste(let text), _): insert(text)
        case (.backspace, []), (.character("h"), .control): delete(cursor - 1..<cursor)
        case (.backspace, .alt), (.character("w"), .control): kill(startOfWord..<cursor)
        case (.delete, []): delete(cursor..<cursor + 1)
        case (.character("d"), .control): delete(cursor..<cursor + 1)
        case (.character("d"), .alt), (.delete, .control): kill(cursor..<endOfWord)
        case (.character("k"), .control): kill(cursor..<characters.count)
        case (.character("u"), .control): kill(0..<cursor)
        case (.character("y"), .control): insert(String(killed))
        case (.character("t"), .control): transpose()
        case (.left, []), (.character("b"), .control): cursor = max(cursor - 1, 0)
        case (.right, []), (.character("f"), .control): cursor = min(cursor + 1, characters.count)
        case (.left, .control), (.left, .alt), (.character("b"), .alt): cursor = startOfWord
        case (.right, .control), (.right, .alt), (.character("f"), .alt): cursor = endOfWord
        case (.home, _), (.character("a"), .control): cursor = 0
        case (.end, _), (.character("e"), .control): cursor = characters.count
        default: return false
        }
        return true
    }

    /// The part of the text that is shown in so many columns, with the cursor in it.
    ///
    /// - Returns: The text, and the column of the cursor, which may be the one behind the last character.
    package func window(columns: Int) -> (text: String, cursor: Int) {
        let widths = characters.map { CellText(String($0)).width }
        let before = widths[..<cursor].reduce(0, +)
        if before + widths[cursor...].reduce(0, +) < columns { return (text, before) }
        // The cursor stands in the middle of a text that does not fit, but never farther left than need be.
        var (start, used) = (cursor, 0)
        while start > 0, used + widths[start - 1] <= max(columns - 1, 0) - max(columns / 4, 0) {
            start -= 1
            used += widths[start]
        }
        var (end, total) = (cursor, used)
        while end < characters.count, total + widths[end] <= columns - 1 {
            total += widths[end]
            end += 1
        }
        return (String(characters[start..<end]), used)
    }

    private mutating func delete(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<characters.count)
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private mutating func kill(_ range: Range<Int>) {
        if range.isEmpty { return }
        killed = Array(characters[range])
        delete(range)
    }

    private mutating func transpose() {
        let right = min(cursor, characters.count - 1)
        guard right > 0 else { return }
        characters.swapAt(right - 1, right)
        cursor = right + 1
    }

    private var startOfWord: Int {
        var place = cursor
        while place > 0, !Self.isInWord(characters[place - 1]) { place -= 1 }
        while place > 0, Self.isInWord(characters[place - 1]) { place -= 1 }
        return place
    }

    private var endOfWord: Int {
        var place = cursor
        while place < characters.count, !Self.isInWord(characters[place]) { place += 1 }
        while place < characters.count, Self.isInWord(characters[place]) { place += 1 }
        return place
    }

    private static func isInWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
