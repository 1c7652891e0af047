// SPDX-License-Identifier: MIT

extension ByteReader {
    /// Reads an identifier of 16 bits from two bytes, least significant first.
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)``.
    @inlinable
    public mutating func readUUID16() throws(SerDeError) -> BluetoothUUID {
        BluetoothUUID(try read(UInt16.self, .littleEndian))
    }

    /// Reads an identifier of 32 bits from four bytes, least significant first, as advertisements have it.
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)``.
    @inlinable
    public mutating func readUUID32() throws(SerDeError) -> BluetoothUUID {
        BluetoothUUID(try read(UInt32.self, .littleEndian))
    }

    /// Reads an identifier of 128 bits from 16 bytes, in the order of Bluetooth (least significant first, the default)
    /// or in that of its text (as in iBeacon frames).
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)``.
    @inlinable
    public mutating func readUUID128(_ order: ByteOrder = .littleEndian) throws(SerDeError) -> BluetoothUUID {
        guard remaining >= 16 else { throw .truncated(needed: 16, available: remaining, offset: offset) }
        let first = try read(UInt64.self, order)
        let second = try read(UInt64.self, order)
        return order == .littleEndian
            ? BluetoothUUID(high: second, low: first) : BluetoothUUID(high: first, low: second)
    }
}

extension OutputRawSpan {
    /// Appends all 16 bytes of an identifier; traps when the span has no room for them.
    ///
    /// - Parameters:
    ///   - uuid: The identifier to append.
    ///   - order: `.littleEndian` for the order of Bluetooth, least significant byte first; `.bigEndian` for that of
    ///     the text form.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func write(full uuid: BluetoothUUID, _ order: ByteOrder = .littleEndian) {
        write(order == .littleEndian ? uuid.low : uuid.high, order)
        write(order == .littleEndian ? uuid.high : uuid.low, order)
    }
}

extension BluetoothUUID: ByteDecodable, ByteEncodable {
    /// Takes all bytes that are left, which must be 2, 4 or 16, least significant first (Core Specification, Vol 3,
    /// Part B, 2.5.1).
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` below 16 bytes, with the count of the next longer
    ///   form; more than 16 bytes are left behind as surplus.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        switch reader.remaining {
        case 2: self = try reader.readUUID16()
        case 4: self = try reader.readUUID32()
        case 16...: self = try reader.readUUID128()
        case let count:
            throw .truncated(needed: count < 2 ? 2 : count < 4 ? 4 : 16, available: count, offset: reader.offset)
        }
    }

    /// The size of the shortest form: 2, 4 or 16.
    @inlinable public var encodedByteCount: Int { uint16 != nil ? 2 : uint32 != nil ? 4 : 16 }

    /// Appends the shortest form, least significant byte first. ATT knows no form of 4 bytes: see
    /// `OutputRawSpan.write(full:_:)`.
    @inlinable
    public func encode(into output: inout OutputRawSpan) {
        if let uint16 {
            output.write(uint16)
        } else if let uint32 {
            output.write(uint32)
        } else {
            output.write(full: self)
        }
    }
}
