// SPDX-License-Identifier: MIT

/// A literal in the place of a value, such as the 5 of `write(5)`.
///
/// The compiler would take the number for a `Double`, and an array of such literals for one of `Double`s. The calls
/// that take a value therefore have an overload with this type, which the compiler prefers for a literal, and which is
/// deprecated: its warning asks for the type. A call that was compiled in spite of the warning traps. A string literal
/// is text, and an array of integers alone is one of bytes.
public struct UntypedLiteral: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, Sendable
{
    /// Takes the place of an integer.
    public init(integerLiteral value: Int) {}

    /// Takes the place of a fraction.
    public init(floatLiteral value: Double) {}

    /// Takes the place of a Boolean value.
    public init(booleanLiteral value: Bool) {}

    /// Takes the place of an array with a fraction or a Boolean value in it.
    public init(arrayLiteral elements: UntypedLiteral...) {}

    /// Traps: the bytes of the literal are not known.
    @inlinable
    public var bytes: Bytes {
        preconditionFailure("say how wide the literal is, such as UInt8(5), as the compiler's warning asks")
    }
}

// For the types that are generic over their value, which the compiler infers from a literal.
extension UntypedLiteral: ByteCodable {
    /// Throws: no bytes are a literal.
    public init(from reader: inout ByteReader) throws(SerDeError) { throw .invalidValue() }

    /// None, as the bytes of the literal are not known.
    public var encodedByteCount: Int { 0 }

    /// Writes no bytes, as those of the literal are not known.
    public func encode(into output: inout OutputRawSpan) {}
}
