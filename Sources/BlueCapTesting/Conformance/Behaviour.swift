// SPDX-License-Identifier: MIT

/// One thing that every backend must show, as a small program over a ``ConformanceWorld``.
public struct Behaviour: Sendable, Hashable, CustomStringConvertible {
    /// What is shown, in a sentence; no two behaviours have the same.
    public let name: String
    /// The program; it throws when the behaviour is not shown.
    public let run: @Sendable (any ConformanceWorld) async throws -> Void

    /// Creates a behaviour.
    public init(_ name: String, run: @escaping @Sendable (any ConformanceWorld) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// The name.
    public var description: String { name }

    /// Behaviours are the same when their names are.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
