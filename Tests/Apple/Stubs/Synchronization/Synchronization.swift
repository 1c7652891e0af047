// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public protocol AtomicRepresentable {}
extension UInt: AtomicRepresentable {}

public struct AtomicLoadOrdering: Sendable {
    public static var relaxed: Self { Self() }
}

public struct AtomicStoreOrdering: Sendable {
    public static var relaxed: Self { Self() }
}

public struct Atomic<Value: AtomicRepresentable>: ~Copyable {
    private let value: Value

    public init(_ initialValue: consuming Value) { value = initialValue }

    public borrowing func load(ordering: AtomicLoadOrdering) -> Value { value }
    public borrowing func store(_ desired: consuming Value, ordering: AtomicStoreOrdering) {}
}
extension Atomic: @unchecked Sendable {}
