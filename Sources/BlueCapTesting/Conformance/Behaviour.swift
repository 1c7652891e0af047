// SPDX-License-Identifier: MIT

/// One thing that every backend must show, as a small program over a ``ConformanceWorld``.
public struct Behaviour: Sendable, Hashable, CustomStringConvertible {
    /// The sentence that the behaviour shows to be true; no two behaviours have the same.
    public let name: String
    /// The program, which throws if the backend does not show the behaviour.
    public let run: @Sendable (any ConformanceWorld) async throws -> Void

    /// Creates a behaviour.
    ///
    /// - Parameters:
    ///   - name: The sentence that the behaviour shows to be true; no two behaviours have the same.
    ///   - run: The program, which throws if the backend does not show the behaviour.
    public init(_ name: String, run: @escaping @Sendable (any ConformanceWorld) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// The name of the behaviour.
    public var description: String { name }

    /// Returns whether two behaviours have the same name.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
