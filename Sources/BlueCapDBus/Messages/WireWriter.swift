// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Writes values as they go over the wire, in this machine's byte order. The bytes start at an alignment of 8.
///
/// It takes values that passed `DBusValue.validate`, and names that were checked.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    /// A writer that need not grow for so many bytes.
    init(capacity: Int = 0) { if capacity > 0 { bytes.reserveCapacity(capacity) } }

    var count: Int { bytes.count }

    // MARK: Values

    /// Throws `.invalidArgument` for a descriptor, which is appended by its owner.
    mutating func append(_ value: DBusValue) throws(DBusError) {
        switch value {
        case .byte(let value): bytes.append(value)
        case .bool(let value): append(UInt32(value ? 1 : 0))
        case .int16(let value): append(UInt16(bitPattern: value))
        case .uint16(let value): append(value)
        case .int32(let value): append(UInt32(bitPattern: value))
        case .uint32(let value): append(value)
        case .int64(let value): append(UInt64(bitPattern: value))
        case .uint64(let value): append(value)
        case .double(let value): append(value.bitPattern)
        case .string(let text), .objectPath(let text): append(text: text)
        case .signature(let text): append(signature: text)
        case .descriptor: throw .invalidArgument("a descriptor is appended by its owner")
        case .bytes(let value):
            append(UInt32(value.count))
            bytes.append(contentsOf: value)
        case .array(let values, let element):
            let alignment = element.utf8.first.flatMap(Signature.alignment) ?? 1
            try appendArray(alignedTo: alignment) { writer throws(DBusError) in
                for value in values { try writer.append(value) }
            }
        case .properties(let properties):
            try appendArray(alignedTo: 8) { writer throws(DBusError) in
                for (key, value) in properties {
                    writer.align(8)
                    writer.append(text: key)
                    try writer.append(variant: value)
                }
            }
        case .dictionary(let dictionary):
            try appendArray(alignedTo: 8) { writer throws(DBusError) in
                for entry in dictionary.entries {
                    writer.align(8)
                    try writer.append(entry.key)
                    try writer.append(entry.value)
                }
            }
        case .structure(let fields):
            align(8)
            for field in fields { try append(field) }
        case .variant(let value): try append(variant: value)
        }
    }

    private mutating func append(variant value: DBusValue) throws(DBusError) {
        append(signature: value.signature)
        try append(value)
    }

    /// The length of an array counts neither itself nor the padding before the first element.
    private mutating func appendArray(
        alignedTo alignment: Int, _ elements: (inout WireWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        append(UInt32(0))
        let length = bytes.count - 4
        align(alignment)
        let start = bytes.count
        try elements(&self)
        put(UInt32(bytes.count - start), at: length)
    }

    // MARK: Parts

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        align(MemoryLayout<Number>.size)
        unsafe withUnsafeBytes(of: number) { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func append(text: String) {
        append(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
    }

    mutating func append(signature: String) {
        bytes.append(UInt8(signature.utf8.count))
        bytes.append(contentsOf: signature.utf8)
        bytes.append(0)
    }

    mutating func append(_ other: WireWriter) { bytes.append(contentsOf: other.bytes) }

    mutating func align(_ alignment: Int) { while bytes.count & (alignment - 1) != 0 { bytes.append(0) } }

    /// Writes a number over one that stands there.
    mutating func put(_ number: UInt32, at place: Int) { bytes.put(number, at: place) }
}

extension [UInt8] {
    /// Writes a number, in this machine's byte order, over four bytes; traps where they are not there.
    mutating func put(_ number: UInt32, at place: Int) {
        precondition(place >= 0 && place <= count - 4)
        unsafe withUnsafeMutableBytes { unsafe $0.storeBytes(of: number, toByteOffset: place, as: UInt32.self) }
    }
}
#endif
