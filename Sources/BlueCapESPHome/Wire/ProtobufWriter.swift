// SPDX-License-Identifier: MIT

/// Writes the encoding of Protocol Buffers.
package struct ProtobufWriter {
    package private(set) var bytes: [UInt8]

    package init(bytes: [UInt8] = []) { self.bytes = bytes }

    package mutating func varint(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    package mutating func field(_ number: UInt64, _ value: ProtobufReader.Value) {
        switch value {
        case .varint(let value):
            varint(number << 3)
            varint(value)
        case .fixed64(let value):
            varint(number << 3 | 1)
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
            }
        case .bytes(let value):
            varint(number << 3 | 2)
            varint(UInt64(value.count))
            bytes += value
        case .fixed32(let value):
            varint(number << 3 | 5)
            for shift in stride(from: 0, to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
            }
        }
    }
}
