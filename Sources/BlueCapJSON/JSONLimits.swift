// SPDX-License-Identifier: MIT

/// How much a file of JSON may hold: a tree of values takes some fifty bytes for each, and its reader calls itself for
/// each value within another.
package struct JSONLimits: Sendable {
    /// How many objects, lists, texts, numbers and words there may be in all. Keys do not count.
    package let values: Int
    /// How many objects and lists may be in each other.
    package let depth: Int

    /// - Parameters:
    ///   - values: How many values there may be in all.
    ///   - depth: How many objects and lists may be in each other.
    package init(values: Int, depth: Int = 32) { (self.values, self.depth) = (values, depth) }
}
