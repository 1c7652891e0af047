// SPDX-License-Identifier: MIT

@_exported public import BlueCapSerDe

#if Macros
/// Writes the reader and the writer of a struct whose stored properties are the fields of a message, in their order.
///
/// The struct gets `init(from:)`, `encodedByteCount` and `encode(into:)`, and with them the conformance to
/// ``ByteCodable``, as one would write them by hand. A field is of any type that is ``ByteCodable`` itself, another
/// layout too. `[T]`, ``PackedArray``, ``Bytes`` and `String` take all bytes that are left, unless they are
/// ``Counted(by:)``. A `let` with a value is a constant that has to be there: other bytes throw
/// `SerDeError.invalidValue(offset:)`. Computed, lazy and static properties are no fields.
///
/// Where a field is of a type that Swift writes in another way, declare that with ``Flag(_:)``,
/// ``Scaled(_:by:offset:unit:unknown:)``, ``Counted(by:)`` or ``BigEndian()``.
///
/// - Parameter flags: The unsigned integer in front of all fields. Its bits show which fields are there. Bits that
///   belong to no field are ignored when read and 0 when written. Flags elsewhere: put the fields from them on into a
///   layout of their own.
@attached(
    extension, conformances: ByteDecodable, ByteEncodable,
    names: named(init(from:)), named(encodedByteCount), named(encode(into:)), named(units))
public macro Layout<Flags: Deserializable>(flags: Flags.Type) =
    #externalMacro(module: "BlueCapMacros", type: "LayoutMacro")

/// Writes the reader and the writer of a struct without flags; see ``Layout(flags:)``.
@attached(
    extension, conformances: ByteDecodable, ByteEncodable,
    names: named(init(from:)), named(encodedByteCount), named(encode(into:)), named(units))
public macro Layout() = #externalMacro(module: "BlueCapMacros", type: "LayoutMacro")

/// A field that goes by one bit of the flags, counted from 0.
///
/// - An optional is there when the bit is set; writing sets it unless the property is nil.
/// - An array, ``PackedArray``, ``Bytes`` or `String` is there when the bit is set, and empty otherwise.
/// - A `Bool` is the bit and takes no bytes.
@attached(peer)
public macro Flag(_ bit: Int) = #externalMacro(module: "BlueCapMacros", type: "MarkerMacro")

/// A field that is some bits of the flags and takes no bytes of its own: an integer, or a type with a raw value.
///
/// Bits that are no raw value throw `SerDeError.invalidValue(offset:)`. Of a number that needs more bits the lowest
/// are written.
@attached(peer)
public macro Flag(_ bits: ClosedRange<Int>) = #externalMacro(module: "BlueCapMacros", type: "MarkerMacro")

/// An integer that is sent as its own type when the bit of the flags is set, and otherwise as a narrower one.
///
/// Writing takes the narrower where the number fits it.
@attached(peer)
public macro Flag<Narrow: FixedWidthInteger & Deserializable>(_ bit: Int, else narrow: Narrow.Type) =
    #externalMacro(module: "BlueCapMacros", type: "MarkerMacro")

/// A `Double` or `Float` that is sent as an integer: the value is the integer times `by`, plus `offset`.
///
/// Writing cannot throw: it rounds to the nearest integer and takes the smallest or the largest for a value that is out
/// of range, and 0 for one that is not a number. To refuse such values, check them in the struct's initializer.
///
/// - Parameters:
///   - raw: The integer as it is sent.
///   - by: How much one step is.
///   - offset: The value of the integer 0.
///   - unit: The unit. The struct then has `static var units`, the units by the names of the fields.
///   - unknown: The integer that means "no value". The property is an optional then, and needs no flag. A value whose
///     nearest integer is `unknown`, which a value out of range may have, is written as no value.
@attached(peer)
public macro Scaled<Raw: Deserializable>(
    _ raw: Raw.Type, by: Double, offset: Double = 0, unit: String = "", unknown: Raw? = nil
) = #externalMacro(module: "BlueCapMacros", type: "MarkerMacro")

/// An array, ``PackedArray``, ``Bytes`` or `String` behind the number of its elements (of a `String`: its bytes in
/// UTF-8).
///
/// Writing cannot throw: if a value has more elements than the number can count, only the first are written; see
/// ``CountedField/encode(countedBy:into:)``.
@attached(peer)
public macro Counted<Count: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(by count: Count.Type) =
    #externalMacro(module: "BlueCapMacros", type: "MarkerMacro")

/// An integer that is sent with its most significant byte first; alone or beside ``Scaled(_:by:offset:unit:unknown:)``.
@attached(peer)
public macro BigEndian() = #externalMacro(module: "BlueCapMacros", type: "MarkerMacro")
#endif
