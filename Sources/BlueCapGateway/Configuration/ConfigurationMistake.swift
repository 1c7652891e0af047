// SPDX-License-Identifier: MIT

/// A mistake in the file of a configuration, with its line and the way out of it.
package struct ConfigurationMistake: Hashable, Sendable {
    /// Counted from 1; nil for the file as a whole.
    package let line: Int?
    package let text: String

    /// `"gateway.json:12: there is no …"`.
    package func description(in file: String) -> String { file + (line.map { ":\($0)" } ?? "") + ": \(text)" }
}

/// All mistakes in the file of a configuration, in the order of its lines.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How many a description shows.
    private static let limit = 50

    package let file: String
    package let mistakes: [ConfigurationMistake]

    /// A line for each mistake.
    package var description: String {
        let lines = mistakes.prefix(Self.limit).map { $0.description(in: file) }
        let rest = mistakes.count - lines.count
        return (lines + (rest > 0 ? ["and \(rest) more mistakes"] : [])).joined(separator: "\n")
    }
}

/// The mistakes that are found while a file is read.
final class MistakeList {
    private var mistakes: [ConfigurationMistake] = []

    var count: Int { mistakes.count }
    var isEmpty: Bool { mistakes.isEmpty }

    func add(_ line: Int?, _ text: String) { mistakes.append(ConfigurationMistake(line: line, text: text)) }

    /// Those that were found, in the order of their lines.
    func error(in file: String) -> ConfigurationError {
        let places = mistakes.indices.sorted { (mistakes[$0].line ?? 0, $0) < (mistakes[$1].line ?? 0, $1) }
        return ConfigurationError(file: file, mistakes: places.map { mistakes[$0] })
    }
}
