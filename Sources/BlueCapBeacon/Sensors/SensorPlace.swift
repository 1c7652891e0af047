// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// An integer in a frame: its bytes, and which of their bits.
///
/// The bytes are there in each frame of the format: its reader sees to it.
struct SensorPlace: Sendable, Hashable {
    /// The forms of integers, by the names that the declarations of characteristics have for them.
    enum Form: String, CaseIterable {
        case uint8, int8, uint16, int16, uint24, int24, uint32, int32, uint40, int40, uint48, int48

        var isSigned: Bool { rawValue.hasPrefix("i") }
        var byteCount: Int { (Int(rawValue.drop { !$0.isNumber }) ?? 8) / 8 }
    }

    let offset: Int
    let form: Form
    let byteCount: Int
    let isSigned: Bool
    let isBigEndian: Bool
    /// The bits of the integer that count; nil for all.
    let bits: ClosedRange<Int>?
    /// The greatest integer that is a value.
    let greatest: Int64

    init(offset: Int, form: Form, isBigEndian: Bool, bits: ClosedRange<Int>?, greatest: Int64) {
        (self.offset, self.form, self.isBigEndian) = (offset, form, isBigEndian)
        (self.bits, self.greatest) = (bits, greatest)
        (byteCount, isSigned) = (form.byteCount, form.isSigned)
    }

    var end: Int { offset + byteCount }

    /// The integer; nil where it is greater than any value.
    func integer(in frame: Bytes) -> Int64? {
        var integer: Int64 = 0
        for index in 0..<byteCount {
            integer = integer << 8 | Int64(frame[offset + (isBigEndian ? index : byteCount - 1 - index)])
        }
        if let bits {
            integer = integer >> Int64(bits.lowerBound) & (1 << Int64(bits.count) - 1)
        } else if isSigned, integer >> Int64(8 * byteCount - 1) == 1 {
            integer -= 1 << Int64(8 * byteCount)
        }
        return integer <= greatest ? integer : nil
    }
}

/// Bytes that a frame has at a place, as far as a mask says.
struct SensorPattern: Sendable, Hashable {
    let offset: Int
    /// Has zeros where the mask has.
    let bytes: [UInt8]
    let mask: [UInt8]

    init(offset: Int, _ bytes: Bytes, mask: Bytes?) {
        self.offset = offset
        self.mask = mask.map { Array($0) } ?? [UInt8](repeating: 0xFF, count: bytes.count)
        self.bytes = zip(bytes, self.mask).map { $0 & $1 }
    }

    var end: Int { offset + bytes.count }

    func fits(_ frame: Bytes) -> Bool {
        guard frame.count >= end else { return false }
        for index in bytes.indices where frame[offset + index] & mask[index] != bytes[index] { return false }
        return true
    }

    /// Whether a frame may fit both.
    func overlaps(_ other: SensorPattern) -> Bool {
        var place = max(offset, other.offset)
        while place < min(end, other.end) {
            let (own, its) = (place - offset, place - other.offset)
            if (bytes[own] ^ other.bytes[its]) & mask[own] & other.mask[its] != 0 { return false }
            place += 1
        }
        return true
    }
}
