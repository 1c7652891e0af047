// SPDX-License-Identifier: MIT

/// Finds the known name that an unknown word resembles.
enum Suggestion {
    /// `"did you mean 'scan'?"`; nil where no name is like the word.
    static func question(_ word: String, among names: some Sequence<String>) -> String? {
        let similar = similar(to: word, among: names)
        return similar.isEmpty ? nil : "did you mean \(ProfilePart.quoted(similar))?"
    }

    /// The question in front of advice; the advice alone where no name is like the word.
    static func question(_ word: String, among names: some Sequence<String>, advice: String) -> String {
        [question(word, among: names), advice].compactMap(\.self).joined(separator: " ")
    }

    /// The names that the word is a misspelling of, else those that it is a part of, else those that have a word like
    /// it; six at most, each once.
    static func similar(to word: String, among names: some Sequence<String>) -> [String] {
        let wanted = CharacteristicSelector.fold(word)
        guard wanted.count >= 2 else { return [] }
        var seen: Set<String> = []
        let all = names.filter { seen.insert($0).inserted }.map { (name: $0, folded: CharacteristicSelector.fold($0)) }
        let whole = nearest(to: wanted, among: all) { [$0.folded] }
        if !whole.isEmpty { return whole }
        let parts = all.filter { $0.folded.contains(wanted) }.prefix(6).map(\.name)
        if !parts.isEmpty { return parts }
        // "batery" means "Battery Level".
        return nearest(to: wanted, among: all) { each in
            each.name.split(separator: " ").map { CharacteristicSelector.fold(String($0)) }.filter { $0.count > 3 }
        }
    }

    /// The names with the least distance.
    private static func nearest(
        to wanted: String, among all: [(name: String, folded: String)],
        _ words: ((name: String, folded: String)) -> [String]
    ) -> [String] {
        let near = all.compactMap { each in
            words(each).compactMap { distance(wanted, $0, atMost: limit(wanted.count)) }.min().map { (each.name, $0) }
        }
        let least = near.map(\.1).min()
        return near.filter { $0.1 == least }.prefix(6).map(\.0)
    }

    /// A third of a word may be wrong, and no more than three letters of it.
    private static func limit(_ count: Int) -> Int { min(max(count / 3, 1), 3) }

    /// How many letters have to be added, left out, replaced or exchanged with the next to make one word of the other;
    /// nil where that are more than a number.
    static func distance(_ first: String, _ second: String, atMost limit: Int) -> Int? {
        let (first, second) = (Array(first), Array(second))
        if abs(first.count - second.count) > limit { return nil }
        var (beforeLast, last) = ([Int](), Array(0...second.count))
        for row in first.indices {
            var next = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var least = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                next.append(least)
            }
            (beforeLast, last) = (last, next)
        }
        return last[second.count] <= limit ? last[second.count] : nil
    }
}
