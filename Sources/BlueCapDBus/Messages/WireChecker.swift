// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Walks over the bytes of a message and checks that they follow D-Bus's rules, without making values of them.
///
/// Positions count from the message's first byte, as alignment does.
struct WireChecker {
    let isSwapped: Bool
    /// The next byte to be walked over.
    var position: Int
    /// The checked bytes end here, at the latest where all bytes do.
    let end: Int

    /// Checks that all bytes up to the end are values of a signature that is known to be valid.
    mutating func check(_ signature: Span<UInt8>, in bytes: Span<UInt8>) throws(DBusError) {
        var next = 0
        while next < signature.count { try value(signature, &next, in: bytes, depth: 0) }
        guard position == end else { throw .malformed("bytes after the last value") }
    }

    // MARK: Bytes

    /// Walks over padding, which must be zero.
    @inline(__always)
    mutating func align(_ alignment: Int, in bytes: Span<UInt8>) throws(DBusError) {
        let aligned = (position &+ alignment &- 1) & ~(alignment &- 1)
        guard aligned <= end else { throw .malformed("ends in padding") }
        while position < aligned {
            guard bytes[position] == 0 else { throw .malformed("padding that is not zero") }
            position &+= 1
        }
    }

    /// Walks over some bytes and returns where they stand.
    @inline(__always)
    mutating func take(_ count: Int) throws(DBusError) -> Range<Int> {
        guard count >= 0, end &- position >= count else { throw .malformed("ends too early") }
        let start = position
        position &+= count
        return start..<position
    }

    @inline(__always)
    mutating func byte(in bytes: Span<UInt8>) throws(DBusError) -> UInt8 { bytes[try take(1).lowerBound] }

    @inline(__always)
    mutating func number(in bytes: Span<UInt8>) throws(DBusError) -> UInt32 {
        try align(4, in: bytes)
        return bytes.number(at: try take(4).lowerBound, isSwapped: isSwapped)
    }

    /// A text with its length before it and NUL after it; its content is not checked.
    @inline(__always)
    mutating func text(in bytes: Span<UInt8>) throws(DBusError) -> Range<Int> {
        let place = try take(Int(length: try number(in: bytes)))
        try terminator(in: bytes)
        return place
    }

    /// A text that is UTF-8 without NUL.
    @inline(__always)
    mutating func checkedText(in bytes: Span<UInt8>) throws(DBusError) -> Range<Int> {
        let place = try text(in: bytes)
        guard bytes.extracting(place).isText else { throw .malformed("not UTF-8 without NUL") }
        return place
    }

    /// A valid signature, as of a variant.
    mutating func signature(in bytes: Span<UInt8>) throws(DBusError) -> Range<Int> {
        let place = try take(Int(try byte(in: bytes)))
        try terminator(in: bytes)
        if Signature.isUsual(bytes.extracting(place)) { return place }
        guard Signature.isValid(bytes.extracting(place)) else { throw .malformed("signature") }
        return place
    }

    @inline(__always)
    private mutating func terminator(in bytes: Span<UInt8>) throws(DBusError) {
        guard try byte(in: bytes) == 0 else { throw .malformed("a text without its NUL") }
    }

    // MARK: Values

    /// Walks over one value of the type that starts at `next` in the signature, and moves `next` behind that type.
    mutating func value(
        _ signature: Span<UInt8>, _ next: inout Int, in bytes: Span<UInt8>, depth: Int
    ) throws(DBusError) {
        guard depth <= DBusValue.maximumDepth else { throw .malformed("nested too deeply") }
        let code = signature[next]
        next += 1
        switch code {
        case UInt8(ascii: "b"):
            guard try number(in: bytes) <= 1 else { throw .malformed("boolean") }
        case UInt8(ascii: "s"):
            _ = try checkedText(in: bytes)
        case UInt8(ascii: "o"):
            let place = try text(in: bytes)
            guard Names.isObjectPath(bytes.extracting(place)) else { throw .malformed("object path") }
        case UInt8(ascii: "g"):
            _ = try self.signature(in: bytes)
        case UInt8(ascii: "v"):
            try variant(in: bytes, depth: depth + 1)
        case UInt8(ascii: "a"):
            try array(signature, &next, in: bytes, depth: depth)
        case UInt8(ascii: "("), UInt8(ascii: "{"):
            try align(8, in: bytes)
            let closing = code == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")
            while signature[next] != closing { try value(signature, &next, in: bytes, depth: depth + 1) }
            next += 1
        default:
            let size = Signature.size(of: code)
            try align(size, in: bytes)
            _ = try take(size)
        }
    }

    /// Walks over a variant: its signature and the one value of it.
    mutating func variant(in bytes: Span<UInt8>, depth: Int) throws(DBusError) {
        let place = try variantSignature(in: bytes)
        var next = 0
        try value(bytes.extracting(place), &next, in: bytes, depth: depth)
    }

    /// The signature with which a variant begins, which is one type.
    mutating func variantSignature(in bytes: Span<UInt8>) throws(DBusError) -> Range<Int> {
        let place = try signature(in: bytes)
        guard Signature.isUsual(bytes.extracting(place)) || Signature.isSingle(bytes.extracting(place)) else {
            throw .malformed("signature of a variant")
        }
        return place
    }

    private mutating func array(
        _ signature: Span<UInt8>, _ next: inout Int, in bytes: Span<UInt8>, depth: Int
    ) throws(DBusError) {
        let element = next
        // The signature was checked as a whole, so both of these exist.
        guard let after = Signature.elementEnd(at: element, in: signature),
            let alignment = Signature.alignment(of: signature[element])
        else { throw .malformed("signature") }
        next = after
        var elements = try self.elements(alignment: alignment, in: bytes)
        position = elements.end
        let size = Signature.size(of: signature[element])
        if size > 0 {
            guard size == 1 || (elements.end - elements.position) % size == 0 else {
                throw .malformed("length of an array")
            }
            return
        }
        while elements.position < elements.end {
            var start = element
            try elements.value(signature, &start, in: bytes, depth: depth + 1)
        }
    }

    /// Walks over an array's length and its padding, and returns a checker of the elements, which ends where they do.
    func elements(alignment: Int, in bytes: Span<UInt8>) throws(DBusError) -> WireChecker {
        var elements = self
        let length = Int(length: try elements.number(in: bytes))
        try elements.align(alignment, in: bytes)
        guard length <= FramePrefix.maximumArrayLength, end - elements.position >= length else {
            throw .malformed("length of an array")
        }
        return WireChecker(isSwapped: isSwapped, position: elements.position, end: elements.position + length)
    }
}
#endif
