// SPDX-License-Identifier: MIT

/// The completions of the text in front of the cursor.
package struct LineCompletion: Sendable, Hashable {
    /// How many characters stand in front of the word that is completed.
    package var start: Int
    /// The possible words, each as it would stand in the line.
    package var candidates: [String]

    /// A completion.
    ///
    /// - Parameters:
    ///   - start: How many characters stand in front of the word.
    ///   - candidates: The possible words.
    package init(start: Int, candidates: [String]) {
        self.start = start
        self.candidates = candidates
    }

    /// The longest common beginning of the candidates, without regard to case, written as in the first of them.
    package var commonPrefix: String {
        guard var common = candidates.first.map(Array.init) else { return "" }
        for candidate in candidates.dropFirst() {
            let same = zip(common, candidate).prefix { $0.lowercased() == $1.lowercased() }.count
            common.removeLast(common.count - same)
        }
        return String(common)
    }
}
