// SPDX-License-Identifier: MIT

import Testing

/// The same as `#require` for loops of many thousand steps: it costs next to nothing while the condition holds.
///
/// - Parameter subject: What was looked at when the condition did not hold.
func hold(
    _ condition: Bool, _ subject: @autoclosure () -> Any = "", sourceLocation: SourceLocation = #_sourceLocation
) throws {
    if !condition { try #require(Bool(false), "does not hold for \(subject())", sourceLocation: sourceLocation) }
}
