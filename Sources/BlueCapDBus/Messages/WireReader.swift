// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
// SAFETY: a reader is made inside of the closure that lends its bytes, and does not leave it; each access compares with
// their count before.
/// Decodes bodies from their wire bytes, in either byte order. Every length and offset is checked, so that no bytes at
/// all can lead outside the buffer.
@safe
package struct WireReader {
    /// More values than this in one body are refused: on the wire a value may take a byte, in memory it takes dozens.
    package static let maximumValues = 1 << 20

    private let bytes: UnsafeRawBufferPointer
    private let isSwapped: Bool
    private var position = 0
    private var values = 0

    private init(_ bytes: UnsafeRawBufferPointer, isSwapped: Bool) {
        unsafe self.bytes = unsafe bytes
        self.isSwapped = isSwapped
    }

    /// Decodes the body of a whole message, header included.
    package static func body(ofMessage bytes: [UInt8], signature: String) throws(DBusError) -> [DBusValue] {
        let result = unsafe bytes.withUnsafeBytes { bytes in
            Result { () throws(DBusError) in try unsafe body(ofMessage: bytes, signature: signature) }
        }
        return try result.get()
    }

    /// Decodes body bytes that start at an alignment of 8.
    package static func values(
        _ bytes: [UInt8], signature: String, isBigEndian: Bool
    ) throws(DBusError) -> [DBusValue] {
        let result = unsafe bytes.withUnsafeBytes { bytes in
            Result { () throws(DBusError) in
                var reader = unsafe WireReader(bytes, isSwapped: isBigEndian != isBigEndianHost)
                return try reader.all(signature)
            }
        }
        return try result.get()
    }

    static func body(ofMessage bytes: UnsafeRawBufferPointer, signature: String) throws(DBusError) -> [DBusValue] {
        guard bytes.count >= 16 else { throw .malformed("shorter than a header") }
        let isBigEndian: Bool
        switch unsafe bytes[0] {
        case UInt8(ascii: "l"): isBigEndian = false
        case UInt8(ascii: "B"): isBigEndian = true
        default: throw .malformed("byte order mark")
        }
        let isSwapped = isBigEndian != isBigEndianHost
        var header = unsafe WireReader(bytes, isSwapped: isSwapped)
        header.position = 4
        let bodyLength = Int(length: try header.number(UInt32.self))
        header.position = 12
        let fieldLength = Int(length: try header.number(UInt32.self))
        let start = (16 + fieldLength + 7) & ~7
        guard start <= bytes.count, bodyLength == bytes.count - start else { throw .malformed("body length") }
        // Bodies start at an alignment of 8.
        header.position = start
        return try header.all(signature)
    }

    private static var isBigEndianHost: Bool { UInt16(1).bigEndian == 1 }

    private mutating func all(_ signature: String) throws(DBusError) -> [DBusValue] {
        guard Signature.isValid(signature) else { throw .malformed("signature") }
        return try all(Array(signature.utf8))
    }

    /// Decodes the values of a signature that is known to be valid, up to the end of the bytes.
    private mutating func all(_ codes: [UInt8]) throws(DBusError) -> [DBusValue] {
        var next = 0
        var result: [DBusValue] = []
        while next < codes.count { result.append(try value(codes, &next, depth: 0)) }
        guard unsafe position == bytes.count else { throw .malformed("bytes after the last value") }
        return result
    }

    #if BlueZ && os(Linux)
    /// Decodes the body of a message whose header was checked.
    static func body(of frame: Frame) throws(DBusError) -> [DBusValue] {
        guard let signature = frame.place(of: .signature) else { return [] }
        let codes = Array(frame.bytes[signature])
        return try reading(frame, from: frame.header.bodyStart) { reader throws(DBusError) in try reader.all(codes) }
    }

    /// Decodes a variant of a property that stands at a place of a message.
    ///
    /// - Parameters:
    ///   - position: Where it begins; then where it ends.
    ///   - values: How many values were decoded before it, which count towards the limit; then with its own.
    static func variant(of frame: Frame, at position: inout Int, values: inout Int) throws(DBusError) -> DBusValue {
        let before = values
        let result = try reading(frame, from: position) { reader throws(DBusError) in
            reader.values = before
            // In a variant, in an entry, in a dictionary.
            let value = try reader.variant(depth: 3)
            return (value: value, end: reader.position, values: reader.values)
        }
        (position, values) = (result.end, result.values)
        return result.value
    }

    /// Decodes a variant of a property that stands among bytes of this machine's order, aligned as these are.
    static func variant(in bytes: [UInt8], at position: Int) throws(DBusError) -> DBusValue {
        let result = unsafe bytes.withUnsafeBytes { bytes in
            Result { () throws(DBusError) in
                var reader = unsafe WireReader(bytes, isSwapped: false)
                reader.position = position
                return try reader.variant(depth: 3)
            }
        }
        return try result.get()
    }

    private static func reading<Value>(
        _ frame: Frame, from position: Int, _ body: (inout WireReader) throws(DBusError) -> Value
    ) throws(DBusError) -> Value {
        let result = unsafe frame.bytes.withUnsafeBytes { bytes in
            Result { () throws(DBusError) in
                let message = unsafe UnsafeRawBufferPointer(rebasing: bytes[frame.place])
                var reader = unsafe WireReader(message, isSwapped: frame.header.isSwapped)
                reader.position = position
                return try body(&reader)
            }
        }
        return try result.get()
    }
    #endif

    // MARK: Bytes

    private mutating func align(_ alignment: Int) throws(DBusError) {
        let aligned = (position + alignment - 1) & ~(alignment - 1)
        guard unsafe aligned <= bytes.count else { throw .malformed("ends in padding") }
        position = aligned
    }

    private mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type
    ) throws(DBusError) -> Number {
        let size = MemoryLayout<Number>.size
        try align(size)
        guard unsafe bytes.count - position >= size else { throw .malformed("ends in a number") }
        let value = unsafe bytes.loadUnaligned(fromByteOffset: position, as: Number.self)
        position += size
        return isSwapped ? value.byteSwapped : value
    }

    private mutating func slice(_ count: Int) throws(DBusError) -> UnsafeRawBufferPointer {
        guard count >= 0, unsafe bytes.count - position >= count else { throw .malformed("ends in bytes") }
        defer { position += count }
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    /// A text of known length and its terminating NUL.
    private mutating func text(_ count: Int) throws(DBusError) -> String {
        let content = try unsafe slice(count)
        let terminator = try unsafe slice(1)
        guard unsafe terminator[0] == 0, unsafe !content.contains(0) else { throw .malformed("NUL in a string") }
        guard let text = unsafe String(validating: content, as: UTF8.self) else { throw .malformed("not UTF-8") }
        return text
    }

    private mutating func string() throws(DBusError) -> String { try text(Int(length: try number(UInt32.self))) }

    private mutating func signatureText() throws(DBusError) -> String {
        let text = try text(Int(try number(UInt8.self)))
        guard Signature.isValid(text) else { throw .malformed("signature") }
        return text
    }

    // MARK: Values

    /// Counts a value that is about to be decoded.
    private mutating func count(depth: Int) throws(DBusError) {
        guard depth <= DBusValue.maximumDepth else { throw .malformed("nested too deeply") }
        values += 1
        guard values <= Self.maximumValues else { throw .malformed("too many values") }
    }

    private mutating func value(_ codes: [UInt8], _ next: inout Int, depth: Int) throws(DBusError) -> DBusValue {
        try count(depth: depth)
        let code = codes[next]
        next += 1
        switch code {
        case UInt8(ascii: "v"): return .variant(try variant(depth: depth + 1))
        case UInt8(ascii: "("):
            try align(8)
            var fields: [DBusValue] = []
            while codes[next] != UInt8(ascii: ")") { fields.append(try value(codes, &next, depth: depth + 1)) }
            next += 1
            return .structure(fields)
        case UInt8(ascii: "a"):
            return try array(codes, &next, depth: depth)
        default:
            return try basic(code)
        }
    }

    /// A value of a type that a dictionary's key may have.
    private mutating func basic(_ code: UInt8) throws(DBusError) -> DBusValue {
        switch code {
        case UInt8(ascii: "y"): return .byte(try number(UInt8.self))
        case UInt8(ascii: "b"):
            let value = try number(UInt32.self)
            guard value <= 1 else { throw .malformed("boolean") }
            return .bool(value == 1)
        case UInt8(ascii: "n"): return .int16(try number(Int16.self))
        case UInt8(ascii: "q"): return .uint16(try number(UInt16.self))
        case UInt8(ascii: "i"): return .int32(try number(Int32.self))
        case UInt8(ascii: "u"): return .uint32(try number(UInt32.self))
        case UInt8(ascii: "x"): return .int64(try number(Int64.self))
        case UInt8(ascii: "t"): return .uint64(try number(UInt64.self))
        case UInt8(ascii: "d"): return .double(Double(bitPattern: try number(UInt64.self)))
        case UInt8(ascii: "s"): return .string(try string())
        case UInt8(ascii: "o"):
            let path = try string()
            guard Names.isObjectPath(path) else { throw .malformed("object path") }
            return .objectPath(path)
        case UInt8(ascii: "g"): return .signature(try signatureText())
        case UInt8(ascii: "h"): return .descriptor(Int(clamping: try number(UInt32.self)))
        default: throw .malformed("signature")
        }
    }

    private mutating func variant(depth: Int) throws(DBusError) -> DBusValue {
        let place = unsafe try slice(Int(try number(UInt8.self)))
        guard try number(UInt8.self) == 0 else { throw .malformed("signature of a variant") }
        if place.count == 1, unsafe Signature.isBasic(place[0]) {
            try count(depth: depth)
            return try unsafe basic(place[0])
        }
        let codes = unsafe [UInt8](place)
        guard Signature.isSingle(codes.span) else { throw .malformed("signature of a variant") }
        var next = 0
        return try value(codes, &next, depth: depth)
    }

    private mutating func array(_ codes: [UInt8], _ next: inout Int, depth: Int) throws(DBusError) -> DBusValue {
        let length = Int(length: try number(UInt32.self))
        let element = next
        // The signature was checked as a whole, so both of these exist.
        guard let after = Signature.elementEnd(at: next, in: codes.span),
            let alignment = Signature.alignment(of: codes[element])
        else { throw .malformed("signature") }
        next = after
        try align(alignment)
        guard length <= 64 * 1024 * 1024, unsafe bytes.count - position >= length else {
            throw .malformed("length of an array")
        }
        let end = position + length
        if codes[element] == UInt8(ascii: "y") { return .bytes(unsafe [UInt8](try slice(length))) }
        let result: DBusValue
        if codes[element] == UInt8(ascii: "{") {
            result = try dictionary(codes, from: element, to: after, end: end, depth: depth + 2)
        } else {
            var elements: [DBusValue] = []
            while position < end {
                var start = element
                elements.append(try value(codes, &start, depth: depth + 1))
            }
            result = .array(elements, of: String(decoding: codes[element..<after], as: UTF8.self))
        }
        guard position == end else { throw .malformed("an element passes its array's end") }
        return result
    }

    private mutating func dictionary(
        _ codes: [UInt8], from element: Int, to after: Int, end: Int, depth: Int
    ) throws(DBusError) -> DBusValue {
        if codes[element + 1] == UInt8(ascii: "s"), codes[element + 2] == UInt8(ascii: "v") {
            var properties: [String: DBusValue] = [:]
            while position < end {
                try align(8)
                values += 1
                let key = try string()
                properties[key] = try variant(depth: depth + 1)
            }
            return .properties(properties)
        }
        var dictionary = DBusDictionary(
            keySignature: String(decoding: codes[element + 1..<element + 2], as: UTF8.self),
            valueSignature: String(decoding: codes[element + 2..<after - 1], as: UTF8.self))
        while position < end {
            try align(8)
            var start = element + 1
            let key = try value(codes, &start, depth: depth)
            dictionary.entries.append(.init(key: key, value: try value(codes, &start, depth: depth)))
        }
        return .dictionary(dictionary)
    }
}
#endif
