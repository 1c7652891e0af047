// SPDX-License-Identifier: MIT

/// The identifier of a service, characteristic or descriptor: 16, 32 or 128 bits.
///
/// Short identifiers stand for 128-bit ones on the Bluetooth Base UUID, `xxxxxxxx-0000-1000-8000-00805F9B34FB` (Core
/// Specification, Vol 3, Part B, 2.5.1). Only the expanded form is stored, so two values that mean the same are equal
/// and hash alike, however they were written: `"180D"`, `"0000180D"` and `"0000180d-0000-1000-8000-00805f9b34fb"` are
/// one.
@frozen
public struct BluetoothUUID: Hashable, Sendable {
    /// The first eight bytes of the text form.
    @usableFromInline let high: UInt64
    /// The last eight bytes of the text form.
    @usableFromInline let low: UInt64

    @usableFromInline static var baseHigh: UInt64 { 0x0000_0000_0000_1000 }
    @usableFromInline static var baseLow: UInt64 { 0x8000_0080_5f9b_34fb }

    /// Creates an identifier from all its 128 bits.
    ///
    /// - Parameters:
    ///   - high: The first eight bytes of the text form, as a big-endian number.
    ///   - low: The last eight bytes of the text form, as a big-endian number.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a 16-bit identifier, as the Bluetooth SIG assigns them.
    @inlinable
    public init(_ short: UInt16) { self.init(UInt32(short)) }

    /// Creates a 32-bit identifier. One that fits 16 bits is the same as that 16-bit one.
    @inlinable
    public init(_ short: UInt32) {
        self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow)
    }

    /// The identifier in 16 bits, or nil when it needs more.
    @inlinable
    public var uint16: UInt16? { uint32.flatMap { UInt16(exactly: $0) } }

    /// The identifier in 32 bits, or nil when it is not on the Bluetooth Base UUID.
    @inlinable
    public var uint32: UInt32? {
        guard low == Self.baseLow, high & 0xffff_ffff == Self.baseHigh else { return nil }
        return UInt32(truncatingIfNeeded: high >> 32)
    }
}

extension BluetoothUUID: Comparable {
    /// Returns whether the left identifier comes first in the order of the 128-bit values, which is also that of the
    /// full texts.
    @inlinable
    public static func < (left: BluetoothUUID, right: BluetoothUUID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

extension BluetoothUUID {
    /// Creates an identifier as it stands in advertisements and ATT packets: 2, 4 or 16 bytes, least significant first.
    ///
    /// - Throws: ``BluetoothUUIDError/invalidByteCount(_:)`` for any other number of bytes.
    public init(littleEndianBytes bytes: some Collection<UInt8>) throws(BluetoothUUIDError) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        let count = bytes.count
        guard count == 2 || count == 4 || count == 16 else { throw .invalidByteCount(count) }
        for (index, byte) in bytes.enumerated() {
            if index < 8 {
                low |= UInt64(byte) << (8 * UInt64(index))
            } else {
                high |= UInt64(byte) << (8 * UInt64(index - 8))
            }
        }
        if count == 16 {
            self.init(high: high, low: low)
        } else {
            self.init(UInt32(truncatingIfNeeded: low))
        }
    }

    /// The shortest form in bytes (2, 4 or 16), least significant first, for advertising data.
    ///
    /// ATT knows no 32-bit form: use ``fullLittleEndianBytes`` there when ``uint16`` is nil.
    public var littleEndianBytes: Bytes {
        if let uint16 { return Bytes(capacity: 2) { unsafe $0.append(uint16.littleEndian, as: UInt16.self) } }
        if let uint32 { return Bytes(capacity: 4) { unsafe $0.append(uint32.littleEndian, as: UInt32.self) } }
        return fullLittleEndianBytes
    }

    /// All 16 bytes, least significant first.
    public var fullLittleEndianBytes: Bytes {
        Bytes(capacity: 16) {
            unsafe $0.append(low.littleEndian, as: UInt64.self)
            unsafe $0.append(high.littleEndian, as: UInt64.self)
        }
    }
}

/// The reason for which a text or some bytes are not a Bluetooth UUID.
public enum BluetoothUUIDError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text has neither 4, 8 or 32 hexadecimal digits nor the 36 characters of a full UUID.
    case invalidLength(text: String)
    /// The character at this position (from 0) is not the one that the form needs there: a digit, or a hyphen.
    case invalidCharacter(Character, position: Int, text: String)
    /// This many bytes came; a UUID has 2, 4 or 16.
    case invalidByteCount(Int)

    /// A sentence with the fault, its place and the right form.
    public var description: String {
        switch self {
        case .invalidLength(let text):
            "'\(text)' is not a Bluetooth UUID: it has \(text.count) characters; write 4 or 8 hexadecimal digits "
                + "(180D, 0x180D, 0000180D), 32 digits, or 36 characters with hyphens"
        case .invalidCharacter(let character, let position, let text):
            "'\(text)' is not a Bluetooth UUID: '\(character)' at position \(position) should be a "
                + (text.utf8.count == 36 && BluetoothUUID.hyphenPositions.contains(position)
                    ? "hyphen" : "hexadecimal digit")
        case .invalidByteCount(let count):
            "\(count) bytes are not a Bluetooth UUID: it has 2, 4 or 16"
        }
    }
}
