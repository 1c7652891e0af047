// SPDX-License-Identifier: MIT

/// A word of a line, as it is meant and where it stands.
struct ShellWord: Sendable, Hashable {
    /// The word without its quotes.
    var text: String
    /// How many characters stand in front of it.
    var start: Int
    /// Whether it has no quote, or the quote at its end.
    var isClosed = true

    /// The words of a line: separated by blanks, which are part of a word between quotes, `"` or `'`.
    static func words(_ line: String) -> [ShellWord] {
        var words: [ShellWord] = []
        var word: ShellWord?
        var quote: Character?
        for (place, character) in line.enumerated() {
            if let open = quote {
                if character == open {
                    quote = nil
                    word?.isClosed = true
                } else {
                    word?.text.append(character)
                }
            } else if character == " " || character == "\t" {
                if let ended = word { words.append(ended) }
                word = nil
            } else if character == "\"" || character == "'" {
                word = word ?? ShellWord(text: "", start: place)
                word?.isClosed = false
                quote = character
            } else {
                word = word ?? ShellWord(text: "", start: place)
                word?.text.append(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    /// A text as it is written in a line: in quotes where it has blanks or quotes in it.
    static func quoted(_ text: String) -> String {
        guard text.isEmpty || text.contains(where: { " \t\"'".contains($0) }) else { return text }
        return text.contains("\"") ? "'\(text)'" : "\"\(text)\""
    }
}
