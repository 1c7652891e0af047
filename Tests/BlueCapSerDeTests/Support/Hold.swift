// SPDX-License-Identifier: MIT

import Testing

/// The same as `#require` for loops of many thousand steps: it costs next to nothing while the condition holds.
///
/// - Parameter subject: The value under test, for the message when the condition does not hold.
func hold(
    _ condition: Bool, _ subject: @autoclosure () -> Any = "", sourceLocation: SourceLocation = #_sourceLocation
) throws {
    if !condition { try #require(Bool(false), "does not hold for \(subject())", sourceLocation: sourceLocation) }
}
