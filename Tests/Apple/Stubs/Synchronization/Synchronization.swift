// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public protocol AtomicRepresentable {}
extension Int: AtomicRepresentable {}
extension UInt: AtomicRepresentable {}
extension UInt64: AtomicRepresentable {}

public struct AtomicLoadOrdering: Sendable {
    public static var relaxed: Self { Self() }
    public static var acquiring: Self { Self() }
}

public struct AtomicStoreOrdering: Sendable {
    public static var relaxed: Self { Self() }
}

public struct AtomicUpdateOrdering: Sendable {
    public static var relaxed: Self { Self() }
    public static var acquiringAndReleasing: Self { Self() }
}

public struct Atomic<Value: AtomicRepresentable>: ~Copyable {
    private let value: Value

    public init(_ initialValue: consuming Value) { value = initialValue }

    public borrowing func load(ordering: AtomicLoadOrdering) -> Value { value }
    public borrowing func store(_ desired: consuming Value, ordering: AtomicStoreOrdering) {}
    public borrowing func compareExchange(
        expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) { (true, value) }
}

extension Atomic where Value == Int {
    @discardableResult
    public borrowing func add(_ operand: Int, ordering: AtomicUpdateOrdering) -> (oldValue: Int, newValue: Int) {
        (value, value)
    }
    @discardableResult
    public borrowing func subtract(_ operand: Int, ordering: AtomicUpdateOrdering) -> (oldValue: Int, newValue: Int) {
        (value, value)
    }
}

extension Atomic where Value == UInt64 {
    @discardableResult
    public borrowing func bitwiseOr(
        _ operand: UInt64, ordering: AtomicUpdateOrdering
    ) -> (oldValue: UInt64, newValue: UInt64) { (value, value) }
}
extension Atomic: @unchecked Sendable {}
