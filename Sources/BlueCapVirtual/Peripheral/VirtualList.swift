// SPDX-License-Identifier: MIT

/// Lists services or characteristics in braces, one a line.
@resultBuilder
public enum VirtualList<Element> {
    /// Returns the elements of all lines.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap { $0 } }
    /// One line's element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }
    /// One line's elements.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }
    /// Returns the elements of a condition that holds.
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
    /// Returns the elements of a condition's first branch.
    public static func buildEither(first part: [Element]) -> [Element] { part }
    /// Returns the elements of a condition's second branch.
    public static func buildEither(second part: [Element]) -> [Element] { part }
    /// Returns the elements of a loop.
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap { $0 } }
}
