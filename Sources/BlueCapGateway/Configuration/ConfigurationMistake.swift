// SPDX-License-Identifier: MIT

package import BlueCapJSON

/// A mistake in the file of a configuration, with its place and the way out of it.
package struct ConfigurationMistake: Hashable, Sendable {
    /// Nil for the file as a whole.
    package let place: JSONPlace?
    package let text: String

    /// `"gateway.json:12:5: there is no …"`.
    package func description(in file: String) -> String {
        file + (place.map { ":\($0.line):\($0.column)" } ?? "") + ": \(text)"
    }
}

/// All mistakes in the file of a configuration, in the order of their places.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The greatest number of mistakes in a description.
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

    func add(_ place: JSONPlace?, _ text: String) { mistakes.append(ConfigurationMistake(place: place, text: text)) }

    /// The mistakes so far, in the order of their places.
    func error(in file: String) -> ConfigurationError {
        let order = mistakes.indices.sorted { first, second in
            guard let one = mistakes[first].place, let other = mistakes[second].place, one != other else {
                return (mistakes[first].place?.line ?? 0, first) < (mistakes[second].place?.line ?? 0, second)
            }
            return one < other
        }
        return ConfigurationError(file: file, mistakes: order.map { mistakes[$0] })
    }
}
