// SPDX-License-Identifier: MIT

/// What the text in front of the cursor can be completed to.
package struct LineCompletion: Sendable, Hashable {
    /// How many characters stand in front of the word that is completed.
    package var start: Int
    /// What the word can be; each as it would stand in the line.
    package var candidates: [String]

    /// A completion.
    ///
    /// - Parameters:
    ///   - start: How many characters stand in front of the word.
    ///   - candidates: What the word can be.
    package init(start: Int, candidates: [String]) {
        self.start = start
        self.candidates = candidates
    }

    /// What all candidates begin with, in capitals or not as the first has it.
    package var commonPrefix: String {
        guard var common = candidates.first.map(Array.init) else { return "" }
        for candidate in candidates.dropFirst() {
            let same = zip(common, candidate).prefix { $0.lowercased() == $1.lowercased() }.count
            common.removeLast(common.count - same)
        }
        return String(common)
    }
}
