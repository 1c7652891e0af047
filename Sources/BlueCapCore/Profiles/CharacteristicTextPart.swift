// SPDX-License-Identifier: MIT

/// A part of the text of a value, as a file of profiles declares it.
package struct CharacteristicTextPart: Sendable, Hashable {
    /// The name of the part.
    package let name: String
    /// The possible texts of the part if there are few.
    package let choices: [String]
    /// A Boolean value that is true if a value may lack the part.
    package let isOptional: Bool
    /// The unit of the number in the text; nil for a part without a unit.
    package let unit: String?

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - choices: The possible texts of the part if there are few.
    ///   - isOptional: A Boolean value that is true if a value may lack the part.
    ///   - unit: The unit of the number in the text; nil for a part without a unit.
    package init(name: String, choices: [String], isOptional: Bool, unit: String?) {
        self.name = name
        self.choices = choices
        self.isOptional = isOptional
        self.unit = unit
    }
}
