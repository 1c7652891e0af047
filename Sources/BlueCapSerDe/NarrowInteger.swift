// SPDX-License-Identifier: MIT

/// An integer of 3, 5 or 6 bytes, as Bluetooth has them (GATT Specification Supplement, Data types) and Swift has not.
///
/// It is a container: read, written, compared and shown. Arithmetic is done on ``value``, and the result comes back
/// through ``init(exactly:)``, ``init(clamping:)`` or ``init(truncatingIfNeeded:)``.
public protocol NarrowInteger: Deserializable, Hashable, Comparable, ExpressibleByIntegerLiteral,
    LosslessStringConvertible
where IntegerLiteralType == Value {
    /// The next wider integer of Swift, which holds any value.
    associatedtype Value: FixedWidthInteger & BitwiseCopyable & Sendable

    /// The number as an integer of the next wider type.
    var value: Value { get }

    /// Creates the number that the lowest bits of an integer stand for, in two's complement when the type is signed.
    init<Source: BinaryInteger>(truncatingIfNeeded source: Source)
}

extension NarrowInteger {
    /// Every pattern of bits is a value.
    @inlinable public static var acceptsEveryPattern: Bool { true }

    /// The number of bits: eight for each byte.
    @inlinable public static var bitWidth: Int { size * 8 }

    /// The smallest value.
    @inlinable public static var min: Self {
        Self(truncatingIfNeeded: Value.isSigned ? -1 << Value(bitWidth - 1) : 0)
    }

    /// The greatest value.
    @inlinable public static var max: Self {
        Self(truncatingIfNeeded: (1 << Value(Value.isSigned ? bitWidth - 1 : bitWidth)) - 1)
    }

    /// Creates the same number, or nil when it is out of range.
    @inlinable
    public init?(exactly source: some BinaryInteger) {
        guard let value = Value(exactly: source), value >= Self.min.value, value <= Self.max.value else { return nil }
        self.init(truncatingIfNeeded: value)
    }

    /// Creates the nearest number in range.
    @inlinable
    public init(clamping source: some BinaryInteger) {
        let value = Value(clamping: source)
        self.init(truncatingIfNeeded: Swift.min(Swift.max(value, Self.min.value), Self.max.value))
    }

    /// Creates a number written in the source; traps when it is out of range, as that is an error of the program.
    @inlinable
    public init(integerLiteral value: Value) {
        guard let number = Self(exactly: value) else {
            preconditionFailure("\(value) is outside \(Self.min) through \(Self.max)")
        }
        self = number
    }

    /// Not offered: a number that is no literal may be out of range.
    @available(*, unavailable, message: "call init(exactly:), which is nil out of range, or init(clamping:)")
    public init(_ source: some BinaryInteger) { self.init(truncatingIfNeeded: source) }

    /// Creates the number that a decimal text stands for, as Swift's own integers read it; nil for other text and out
    /// of range.
    @inlinable
    public init?(_ description: String) {
        guard let value = Value(description) else { return nil }
        self.init(exactly: value)
    }

    /// The number in decimal.
    @inlinable public var description: String { value.description }

    /// Less than, by number.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

    /// Reads the integer, little-endian.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        self = try reader.read(Self.self, .littleEndian)
    }

    /// Appends the integer, little-endian.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { output.write(self) }
}

extension ByteReader {
    /// Reads an integer of 3, 5 or 6 bytes in a byte order given by name.
    ///
    /// - Parameters:
    ///   - type: The type of the integer.
    ///   - order: The order of its bytes.
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` when fewer bytes are left; then nothing is read.
    @inlinable
    public mutating func read<T: NarrowInteger>(_ type: T.Type, _ order: ByteOrder) throws(SerDeError) -> T {
        let start = try claim(T.size)
        let last = start &+ T.size &- 1
        var bits: UInt64 = 0
        for index in 0..<T.size {
            let place = order == .littleEndian ? last &- index : start &+ index
            // SAFETY: in bounds, since the bytes were claimed.
            bits = bits << 8 | UInt64(unsafe bytes.unsafeLoad(fromUncheckedByteOffset: place, as: UInt8.self))
        }
        return T(truncatingIfNeeded: bits)
    }

    /// Reads an integer of 3, 5 or 6 bytes of the type that the context wants, in a byte order given by name.
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)``.
    @inlinable
    public mutating func read<T: NarrowInteger>(_ order: ByteOrder) throws(SerDeError) -> T {
        try read(T.self, order)
    }
}

extension OutputRawSpan {
    /// Appends an integer of 3, 5 or 6 bytes; traps when the span has no room for it.
    ///
    /// - Parameters:
    ///   - number: The integer to append.
    ///   - order: The order of its bytes.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func write<T: NarrowInteger>(_ number: T, _ order: ByteOrder = .littleEndian) {
        for index in 0..<T.size {
            let place = order == .littleEndian ? index : T.size &- 1 &- index
            write(UInt8(truncatingIfNeeded: number.value >> T.Value(truncatingIfNeeded: 8 &* place)))
        }
    }
}

/// A signed integer of 24 bits in 3 bytes: `sint24` (GATT Specification Supplement, Data types).
@frozen
public struct Int24: NarrowInteger {
    /// Literals are read as the type of ``value``.
    public typealias IntegerLiteralType = Int32

    /// The number, −8,388,608 through 8,388,607.
    public let value: Int32

    @inlinable public static var size: Int { 3 }

    @inlinable
    public init<Source: BinaryInteger>(truncatingIfNeeded source: Source) {
        value = (Int32(truncatingIfNeeded: source) << 8) >> 8
    }
}

/// A signed integer of 48 bits in 6 bytes: `sint48` (GATT Specification Supplement, Data types).
@frozen
public struct Int48: NarrowInteger {
    /// Literals are read as the type of ``value``.
    public typealias IntegerLiteralType = Int64

    /// The number, −140,737,488,355,328 through 140,737,488,355,327.
    public let value: Int64

    @inlinable public static var size: Int { 6 }

    @inlinable
    public init<Source: BinaryInteger>(truncatingIfNeeded source: Source) {
        value = (Int64(truncatingIfNeeded: source) << 16) >> 16
    }
}

/// An unsigned integer of 24 bits in 3 bytes: `uint24` (GATT Specification Supplement, Data types).
@frozen
public struct UInt24: NarrowInteger {
    /// Literals are read as the type of ``value``.
    public typealias IntegerLiteralType = UInt32

    /// The number, 0 through 16,777,215.
    public let value: UInt32

    @inlinable public static var size: Int { 3 }

    @inlinable
    public init<Source: BinaryInteger>(truncatingIfNeeded source: Source) {
        value = UInt32(truncatingIfNeeded: source) & 0xff_ffff
    }
}

/// An unsigned integer of 40 bits in 5 bytes: `uint40` (GATT Specification Supplement, Data types).
@frozen
public struct UInt40: NarrowInteger {
    /// Literals are read as the type of ``value``.
    public typealias IntegerLiteralType = UInt64

    /// The number, 0 through 1,099,511,627,775.
    public let value: UInt64

    @inlinable public static var size: Int { 5 }

    @inlinable
    public init<Source: BinaryInteger>(truncatingIfNeeded source: Source) {
        value = UInt64(truncatingIfNeeded: source) & 0xff_ffff_ffff
    }
}

/// An unsigned integer of 48 bits in 6 bytes: `uint48` (GATT Specification Supplement, Data types).
@frozen
public struct UInt48: NarrowInteger {
    /// Literals are read as the type of ``value``.
    public typealias IntegerLiteralType = UInt64

    /// The number, 0 through 281,474,976,710,655.
    public let value: UInt64

    @inlinable public static var size: Int { 6 }

    @inlinable
    public init<Source: BinaryInteger>(truncatingIfNeeded source: Source) {
        value = UInt64(truncatingIfNeeded: source) & 0xffff_ffff_ffff
    }
}
