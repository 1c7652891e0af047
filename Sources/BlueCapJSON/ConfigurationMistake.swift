// SPDX-License-Identifier: MIT

/// A mistake in a file that a person writes, with its place and the way out of it.
package struct ConfigurationMistake: Hashable, Sendable {
    /// Nil for the file as a whole.
    package let place: JSONPlace?
    package let text: String

    package init(place: JSONPlace?, text: String) { (self.place, self.text) = (place, text) }

    /// `"gateway.json:12:5: there is no …"`.
    package func description(in file: String) -> String {
        file + (place.map { ":\($0.line):\($0.column)" } ?? "") + ": \(text)"
    }
}

/// All mistakes in a file that a person writes, in the order of their places.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The greatest number of mistakes in a description.
    private static let limit = 50

    package let file: String
    package let mistakes: [ConfigurationMistake]

    package init(file: String, mistakes: [ConfigurationMistake]) { (self.file, self.mistakes) = (file, mistakes) }

    /// A line for each mistake.
    package var description: String {
        let lines = mistakes.prefix(Self.limit).map { $0.description(in: file) }
        let rest = mistakes.count - lines.count
        return (lines + (rest > 0 ? ["and \(rest) more mistakes"] : [])).joined(separator: "\n")
    }
}

/// The mistakes that are found while a file is read.
package final class MistakeList {
    private var mistakes: [ConfigurationMistake] = []

    package init() {}

    package var count: Int { mistakes.count }
    package var isEmpty: Bool { mistakes.isEmpty }

    package func add(_ place: JSONPlace?, _ text: String) {
        mistakes.append(ConfigurationMistake(place: place, text: text))
    }

    /// The mistakes so far, in the order of their places.
    package func error(in file: String) -> ConfigurationError {
        let order = mistakes.indices.sorted { first, second in
            guard let one = mistakes[first].place, let other = mistakes[second].place, one != other else {
                return (mistakes[first].place?.line ?? 0, first) < (mistakes[second].place?.line ?? 0, second)
            }
            return one < other
        }
        return ConfigurationError(file: file, mistakes: order.map { mistakes[$0] })
    }
}
