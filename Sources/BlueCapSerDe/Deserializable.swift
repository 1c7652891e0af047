// SPDX-License-Identifier: MIT

/// A number of a fixed size, the unit that the raw protocols are made of.
public protocol Deserializable: FixedSizeCodable, BitwiseCopyable {
    /// Whether any bytes of this size are a value, so that decoding throws nothing but
    /// ``SerDeError/truncated(needed:available:offset:)`` and ``PackedArray`` need not look at each element; false by
    /// default.
    static var acceptsEveryPattern: Bool { get }
}

extension Deserializable {
    /// The size of the type in memory.
    @inlinable public static var size: Int { MemoryLayout<Self>.size }

    /// Some patterns of bits are no value.
    @inlinable public static var acceptsEveryPattern: Bool { false }
}

// Less wanted than Swift's own initializer, so that a plain `text.flatMap(Int8.init)` means that one.
extension Deserializable where Self: LosslessStringConvertible {
    /// Creates the number that a text stands for, as Swift's own numbers read it: `Int8(stringValue: "-5")`. Nil for
    /// any other text, and for a number out of range.
    ///
    /// It takes one part of a value's text, as `StringDeserializable` has it.
    @_disfavoredOverload
    @inlinable
    public init?(stringValue: String) { self.init(stringValue) }
}
