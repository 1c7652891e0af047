// SPDX-License-Identifier: MIT

/// How much a file of JSON may hold.
///
/// A decoder keeps some fifty bytes for each value, and calls itself for each value within another, before the types
/// that it decodes can count anything. So a file is gone through by these limits first, which takes no memory.
package struct JSONLimits: Sendable {
    /// How many objects, lists, texts, numbers and words there may be in all. Keys do not count.
    package let values: Int
    /// How many objects and lists may be in each other.
    package let depth: Int

    /// - Parameters:
    ///   - values: How many values there may be in all.
    ///   - depth: How many objects and lists may be in each other.
    package init(values: Int, depth: Int = 32) { (self.values, self.depth) = (values, depth) }

    /// The fault of a text; nil where it is JSON within the limits, without a key that stands twice in an object, as a
    /// decoder may have it.
    package func fault(in text: [UInt8]) -> DecodingFault? {
        guard let fault = JSONFault(in: text, within: self, refusesDoubleKeys: true) else { return nil }
        return fault.isExcess ? .invalid(path: "", reason: fault.description) : .notJSON(fault.description)
    }
}
