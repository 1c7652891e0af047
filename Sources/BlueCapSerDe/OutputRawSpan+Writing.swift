// SPDX-License-Identifier: MIT

extension OutputRawSpan {
    /// Appends an integer; traps when the span has no room for it.
    ///
    /// - Parameters:
    ///   - value: The integer to append.
    ///   - order: The order of its bytes.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func write<T: FixedWidthInteger & BitwiseCopyable>(
        _ value: T, _ order: ByteOrder = .littleEndian
    ) {
        // SAFETY: an integer has no padding, so all of its bytes are initialised.
        unsafe append(order == .littleEndian ? value.littleEndian : value.bigEndian, as: T.self)
    }

    /// Appends the integers of an array; traps when the span has no room for them all.
    ///
    /// - Parameters:
    ///   - values: The integers to append.
    ///   - order: The order of the bytes in each.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func write<T: FixedWidthInteger & BitwiseCopyable>(
        contentsOf values: [T], _ order: ByteOrder = .littleEndian
    ) {
        if T(littleEndian: 1) == 1 && order == .littleEndian {
            unsafe values.withUnsafeBytes { unsafe write(copying: $0) }
        } else {
            for value in values { write(value, order) }
        }
    }

    /// Appends bytes as they are; traps when the span has no room for them.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func write(_ bytes: Bytes) {
        unsafe bytes.withUnsafeBuffer { unsafe write(copying: $0) }
    }

    /// Appends text in UTF-8; traps when the span has no room for it.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func write(_ text: String) {
        for unit in text.utf8 { write(unit) }
    }

    @unsafe @inlinable @inline(__always)
    @_lifetime(self: copy self)
    mutating func write(copying source: UnsafeRawBufferPointer) {
        let added = source.count
        precondition(freeCapacity >= added, "no room left in the output span")
        unsafe withUnsafeMutableBytes { room, count in
            // SAFETY: there is room for them behind the first `count` bytes; an empty buffer may have no address.
            if let start = room.baseAddress, let from = source.baseAddress {
                unsafe (start + count).copyMemory(from: from, byteCount: added)
                count &+= added
            }
        }
    }
}
