// SPDX-License-Identifier: MIT

/// One part of the text of a value, as a file of profiles declares it.
package struct CharacteristicTextPart: Sendable, Hashable {
    /// The name under which the text stands.
    package let name: String
    /// The texts that it can have, when they are few.
    package let choices: [String]
    /// Whether a value can be without it.
    package let isOptional: Bool
    /// The unit of the number in the text; nil for a part without a unit.
    package let unit: String?

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - name: The name under which the text stands.
    ///   - choices: The texts that it can have, when they are few.
    ///   - isOptional: Whether a value can be without it.
    ///   - unit: The unit of the number in the text; nil for a part without a unit.
    package init(name: String, choices: [String], isOptional: Bool, unit: String?) {
        self.name = name
        self.choices = choices
        self.isOptional = isOptional
        self.unit = unit
    }
}
