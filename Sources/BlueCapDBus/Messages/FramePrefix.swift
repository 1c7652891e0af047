// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// The first sixteen bytes of a message, which are enough to know where it ends.
struct FramePrefix {
    static let length = 16
    /// Where the serial stands.
    static let serial = 8
    /// No array may be longer, and the header's fields are one.
    static let maximumArrayLength = 64 * 1024 * 1024

    /// Whether numbers stand in the byte order that is not this machine's.
    let isSwapped: Bool
    let fieldsLength: Int
    let bodyLength: Int

    var fieldsEnd: Int { Self.length + fieldsLength }
    /// Fields are padded to a multiple of 8.
    var bodyStart: Int { (fieldsEnd + 7) & ~7 }
    var messageLength: Int { bodyStart + bodyLength }

    /// Reads the first sixteen bytes; throws `.malformed` when no message begins like this, or only one that is too
    /// long.
    init(_ bytes: Span<UInt8>) throws(DBusError) {
        guard bytes.count >= Self.length else { throw .malformed("shorter than a header") }
        let isBigEndian: Bool
        switch bytes[0] {
        case UInt8(ascii: "l"): isBigEndian = false
        case UInt8(ascii: "B"): isBigEndian = true
        default: throw .malformed("byte order mark")
        }
        isSwapped = isBigEndian != (UInt16(1).bigEndian == 1)
        bodyLength = bytes.length(at: 4, isSwapped: isSwapped)
        fieldsLength = bytes.length(at: 12, isSwapped: isSwapped)
        guard fieldsLength <= Self.maximumArrayLength, messageLength <= DBusValue.maximumMessageLength else {
            throw .malformed("a message, or the header of one, that is too long")
        }
    }
}
#endif
