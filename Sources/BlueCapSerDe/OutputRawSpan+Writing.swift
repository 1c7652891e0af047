extension OutputRawSpan {
    /// Appends an integer; traps when the span has no room for it.
    @inlinable @inline(__always)
    @_lifetime(self: copy self)
    public mutating func write<T: FixedWidthInteger & BitwiseCopyable>(
        _ value: T, _ order: ByteOrder = .littleEndian
    ) {
        // An integer has no padding, so all of its bytes are initialised.
        unsafe append(order == .littleEndian ? value.littleEndian : value.bigEndian, as: T.self)
    }

    /// Appends the integers of an array; traps when the span has no room for them all.
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

    @unsafe @inlinable
    @_lifetime(self: copy self)
    mutating func write(copying source: UnsafeRawBufferPointer) {
        precondition(freeCapacity >= source.count, "no room left in the output span")
        unsafe withUnsafeMutableBytes { room, count in
            unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: source)
            count &+= source.count
        }
    }
}
