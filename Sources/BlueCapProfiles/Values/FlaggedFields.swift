// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// A value whose flags announce its fields. Each field is named once, in ``visit(_:)``; reading, counting, flags and
/// writing follow from that.
protocol FlaggedFields {
    /// The number of bytes of the flags, at most three; two by default.
    static var flagByteCount: Int { get }

    /// Creates a value without fields.
    init()

    /// Takes the visitor to all fields in the order in which they are sent. Only reading throws.
    mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError)
}

extension FlaggedFields {
    static var flagByteCount: Int { 2 }

    /// Reads the flags and the fields that they announce.
    init(fieldsFrom reader: inout ByteReader) throws(SerDeError) {
        self.init()
        let flags =
            switch Self.flagByteCount {
            case 1: UInt32(try reader.read(UInt8.self))
            case 2: UInt32(try reader.read(UInt16.self))
            default: try reader.read(UInt24.self).value
            }
        var visitor = FieldReader(reader, flags: flags)
        try visit(&visitor)
        reader = visitor.reader
    }

    /// The most bytes of the flags and the fields.
    var fieldByteCount: Int { Self.flagByteCount + counted.byteCount }

    private var counted: FieldCounter {
        var (fields, visitor) = (self, FieldCounter())
        try? fields.visit(&visitor)
        return visitor
    }

    /// Appends the flags, and the fields that there are.
    func encodeFields(into output: inout OutputRawSpan) {
        let flags = counted.flags
        for index in 0..<Self.flagByteCount { output.write(UInt8(truncatingIfNeeded: flags >> UInt32(8 * index))) }
        var fields = self
        var visitor = FieldWriter(output)
        try? fields.visit(&visitor)
        output = visitor.finish()
    }
}

/// Passes over the fields of a value.
protocol FieldVisitor: ~Copyable, ~Escapable {
    mutating func field<Value: ByteCodable>(_ field: inout Value) throws(SerDeError)

    /// Takes a field that one bit of the flags announces: by 1, unless `isInverted`. `read`, which gets the flags too,
    /// reads it.
    mutating func field<Value: ByteEncodable>(
        _ field: inout Value?, _ bit: Int, isInverted: Bool,
        read: (inout ByteReader, UInt32) throws(SerDeError) -> Value
    ) throws(SerDeError)

    /// Takes a number that is in the flags themselves, `count` bits from `bit` on.
    mutating func bits(_ number: inout UInt32, _ bit: Int, count: Int)
}

extension FieldVisitor where Self: ~Copyable & ~Escapable {
    /// Takes a field that reads itself.
    mutating func field<Value: ByteCodable>(
        _ field: inout Value?, _ bit: Int, isInverted: Bool = false
    ) throws(SerDeError) {
        try self.field(&field, bit, isInverted: isInverted) { reader, _ throws(SerDeError) in try Value(from: &reader) }
    }

    /// Takes a field that is read in a way of its own.
    mutating func field<Value: ByteEncodable>(
        _ field: inout Value?, _ bit: Int, read: (inout ByteReader, UInt32) throws(SerDeError) -> Value
    ) throws(SerDeError) {
        try self.field(&field, bit, isInverted: false, read: read)
    }

    /// Takes a field that is a number with names.
    mutating func field<Number: AssignedNumber>(_ number: inout Number?, _ bit: Int) throws(SerDeError) {
        var raw = number?.rawValue
        try field(&raw, bit)
        number = raw.map(Number.init(rawValue:))
    }

    /// Takes a flag that is one of two values: `other` where the bit is set.
    mutating func choice<Value: Equatable>(_ value: inout Value, _ bit: Int, _ first: Value, or other: Value) {
        var isOther = value == other
        flag(&isOther, bit)
        value = isOther ? other : first
    }

    /// Takes a flag that is a value itself.
    mutating func flag(_ flag: inout Bool, _ bit: Int) {
        var number: UInt32 = flag ? 1 : 0
        bits(&number, bit, count: 1)
        flag = number == 1
    }

    /// Takes a number with names that is in the flags.
    mutating func number<Number: AssignedNumber>(
        _ number: inout Number, _ bit: Int, count: Int
    ) where Number.RawValue == UInt8 {
        var raw = UInt32(number.rawValue)
        bits(&raw, bit, count: count)
        number = Number(rawValue: UInt8(truncatingIfNeeded: raw))
    }
}

/// Reads the fields that flags announce.
struct FieldReader: ~Copyable, ~Escapable {
    private(set) var reader: ByteReader
    private let flags: UInt32

    @_lifetime(copy reader)
    init(_ reader: ByteReader, flags: UInt32) {
        self.reader = reader
        self.flags = flags
    }
}

extension FieldReader: FieldVisitor {
    mutating func field<Value: ByteCodable>(_ field: inout Value) throws(SerDeError) { field = try reader.read() }

    mutating func field<Value: ByteEncodable>(
        _ field: inout Value?, _ bit: Int, isInverted: Bool,
        read: (inout ByteReader, UInt32) throws(SerDeError) -> Value
    ) throws(SerDeError) {
        if flags.bit(bit) != isInverted { field = try read(&reader, flags) }
    }

    mutating func bits(_ number: inout UInt32, _ bit: Int, count: Int) {
        number = flags >> UInt32(bit) & (1 << UInt32(count) - 1)
    }
}

/// Counts the bytes of the fields that there are, and sets the flags for them.
struct FieldCounter: FieldVisitor {
    private(set) var flags: UInt32 = 0
    private(set) var byteCount = 0

    mutating func field<Value: ByteCodable>(_ field: inout Value) { byteCount += field.encodedByteCount }

    mutating func field<Value: ByteEncodable>(
        _ field: inout Value?, _ bit: Int, isInverted: Bool,
        read: (inout ByteReader, UInt32) throws(SerDeError) -> Value
    ) {
        byteCount += field.fieldByteCount
        flags.set(bit, if: (field != nil) != isInverted)
    }

    mutating func bits(_ number: inout UInt32, _ bit: Int, count: Int) { flags |= number << UInt32(bit) }
}

/// Appends the fields that there are.
struct FieldWriter: ~Copyable, ~Escapable {
    private var output: OutputRawSpan

    @_lifetime(copy output)
    init(_ output: consuming OutputRawSpan) { self.output = output }

    @_lifetime(copy self)
    consuming func finish() -> OutputRawSpan { output }
}

extension FieldWriter: FieldVisitor {
    mutating func field<Value: ByteCodable>(_ field: inout Value) { field.encode(into: &output) }

    mutating func field<Value: ByteEncodable>(
        _ field: inout Value?, _ bit: Int, isInverted: Bool,
        read: (inout ByteReader, UInt32) throws(SerDeError) -> Value
    ) {
        field.encodeField(into: &output)
    }

    mutating func bits(_ number: inout UInt32, _ bit: Int, count: Int) {}
}

extension Optional where Wrapped: ByteEncodable {
    /// The most bytes of the field; none when it is not there.
    var fieldByteCount: Int { self?.encodedByteCount ?? 0 }

    func encodeField(into output: inout OutputRawSpan) {
        if let field = self { field.encode(into: &output) }
    }
}

extension FixedWidthInteger {
    /// Whether a bit, counted from the least significant, is set.
    func bit(_ index: Int) -> Bool { self >> Self(index) & 1 == 1 }

    /// Sets a bit, counted from the least significant, where a condition holds.
    mutating func set(_ index: Int, if condition: Bool) {
        if condition { self |= 1 << Self(index) }
    }
}
