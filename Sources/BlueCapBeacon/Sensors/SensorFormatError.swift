// SPDX-License-Identifier: MIT

import BlueCapJSON

/// The mistakes for which a file of sensor formats is refused.
public struct SensorFormatError: Error, Hashable, Sendable {
    /// A mistake, with its place and the way out of it.
    public struct Mistake: Hashable, Sendable {
        /// The line, counted from 1; nil for the file as a whole.
        public let line: Int?
        /// The character of the line, counted from 1; nil for the file as a whole.
        public let column: Int?
        /// The mistake in words.
        public let text: String
    }

    /// The mistakes, in the order of their places.
    public let mistakes: [Mistake]

    init(_ mistakes: [ConfigurationMistake]) {
        self.mistakes = mistakes.map { Mistake(line: $0.place?.line, column: $0.place?.column, text: $0.text) }
    }
}

extension SensorFormatError: CustomStringConvertible {
    /// The greatest number of mistakes in a description.
    private static let limit = 20

    /// The mistakes, each as `line 4, column 9: 'at' is missing`, on lines of their own.
    public var description: String {
        let lines = mistakes.prefix(Self.limit).map { mistake in
            guard let line = mistake.line, let column = mistake.column else { return mistake.text }
            return "line \(line), column \(column): \(mistake.text)"
        }
        let rest = mistakes.count - lines.count
        return (lines + (rest > 0 ? ["and \(rest) more mistakes"] : [])).joined(separator: "\n")
    }
}
