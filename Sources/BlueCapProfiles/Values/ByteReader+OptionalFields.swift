// SPDX-License-Identifier: MIT

import BlueCapSerDe

// What flag-led values need: fields that are there or not, and the flags that say so.

extension ByteReader {
    /// Reads a field when it is there.
    mutating func read<T: ByteDecodable>(_ type: T.Type = T.self, if present: Bool) throws(SerDeError) -> T? {
        present ? try T(from: &self) : nil
    }
}

extension Optional where Wrapped: ByteEncodable {
    /// The most bytes of the field; none when it is not there.
    var fieldByteCount: Int { self?.encodedByteCount ?? 0 }

    /// Appends the field when it is there.
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
