// SPDX-License-Identifier: MIT

/// The lines that were entered before, the oldest first.
package struct LineHistory: Sendable, Hashable {
    /// How many lines are kept.
    package let maximumCount: Int
    /// The lines.
    package private(set) var lines: [String]

    /// A history.
    ///
    /// - Parameters:
    ///   - lines: The lines, the oldest first; of more than fit the newest are kept.
    ///   - maximumCount: How many lines are kept.
    package init(_ lines: [String] = [], maximumCount: Int = 1000) {
        self.maximumCount = maximumCount
        self.lines = []
        for line in lines { add(line) }
    }

    /// Adds a line, unless it is empty, the same as the last, or begins with a blank, which keeps a line out on
    /// purpose.
    package mutating func add(_ line: String) {
        guard let first = line.first, first != " ", line != lines.last else { return }
        lines.append(line)
        if lines.count > maximumCount { lines.removeFirst(lines.count - maximumCount) }
    }

    /// The newest line before `end` that has a text in it, in capitals or not.
    package func last(containing text: String, before end: Int) -> Int? {
        let wanted = text.lowercased()
        return lines.prefix(max(end, 0)).lastIndex { wanted.isEmpty || $0.lowercased().contains(wanted) }
    }
}
