// SPDX-License-Identifier: MIT

/// Reads fields from the front of borrowed bytes.
///
/// Every read is checked against the remaining bytes, so bytes from a radio can never cause a trap or a read past the
/// end. The reader cannot outlive the bytes and allocates nothing by itself.
@frozen
public struct ByteReader: ~Escapable {
    @usableFromInline let bytes: RawSpan
    @usableFromInline var position: Int

    /// Creates a reader at the start of the bytes.
    @_lifetime(copy bytes)
    @inlinable
    public init(_ bytes: RawSpan) {
        self.bytes = bytes
        self.position = 0
    }

    /// The number of bytes that were read.
    @inlinable
    public var offset: Int { position }

    /// The number of bytes that are left.
    @inlinable
    public var remaining: Int { bytes.byteCount &- position }

    /// A Boolean value that is true if every byte was read.
    @inlinable
    public var isAtEnd: Bool { remaining == 0 }

    /// Claims the next bytes and returns the offset where they start.
    @inlinable @inline(__always)
    mutating func claim(_ count: Int) throws(SerDeError) -> Int {
        let start = position
        guard count >= 0, bytes.byteCount &- start >= count else {
            throw .truncated(needed: count, available: bytes.byteCount &- start, offset: start)
        }
        position = start &+ count
        return start
    }

    /// Reads any decodable value; numbers are little-endian.
    ///
    /// - Throws: ``SerDeError``, as the type's own decoding says.
    @inlinable @inline(__always)
    public mutating func read<T: ByteDecodable>(_ type: T.Type = T.self) throws(SerDeError) -> T {
        try T(from: &self)
    }

    /// Reads an integer in a byte order given by name.
    ///
    /// - Parameters:
    ///   - type: The type of the integer.
    ///   - order: The order of its bytes.
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` when fewer bytes are left; then nothing is read.
    @inlinable @inline(__always)
    public mutating func read<T: FixedWidthInteger & BitwiseCopyable>(
        _ type: T.Type, _ order: ByteOrder
    ) throws(SerDeError) -> T {
        let start = try claim(MemoryLayout<T>.size)
        // SAFETY: in bounds, since the bytes were claimed; any bit pattern is an integer.
        let raw = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: T.self)
        return order == .littleEndian ? T(littleEndian: raw) : T(bigEndian: raw)
    }

    /// Reads an integer of the type that the context wants, in a byte order given by name.
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` when fewer bytes are left; then nothing is read.
    @inlinable @inline(__always)
    public mutating func read<T: FixedWidthInteger & BitwiseCopyable>(_ order: ByteOrder) throws(SerDeError) -> T {
        try read(T.self, order)
    }

    /// Reads a number of integers.
    ///
    /// - Parameters:
    ///   - type: The type of the integers.
    ///   - count: The number of integers to read.
    ///   - order: The order of the bytes in each.
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` when they are not all there; then none is read.
    @inlinable
    public mutating func readArray<T: FixedWidthInteger & BitwiseCopyable>(
        of type: T.Type = T.self, count: Int, _ order: ByteOrder = .littleEndian
    ) throws(SerDeError) -> [T] {
        let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<T>.size)
        let start = try claim(overflow ? .max : size)
        return unsafe bytes.withUnsafeBytes { source in
            let field = unsafe UnsafeRawBufferPointer(rebasing: source[start..<start &+ size])
            let isPacked = MemoryLayout<T>.size == MemoryLayout<T>.stride
            let isOwnOrder = T(littleEndian: 1) == 1 && order == .littleEndian
            let misalignment = Int(bitPattern: field.baseAddress) & (MemoryLayout<T>.alignment &- 1)
            guard isPacked && isOwnOrder && misalignment == 0 else { return unsafe Self.array(field, count, order) }
            // SAFETY: the buffer is aligned and of the right size. Making an array of a buffer is specialised; filling
            // one in place is not.
            return unsafe field.withMemoryRebound(to: T.self) { unsafe [T]($0) }
        }
    }

    /// Reads integers that are not aligned, or of the other byte order, by way of a temporary.
    @inlinable @inline(never)
    static func array<T: FixedWidthInteger & BitwiseCopyable>(
        _ field: UnsafeRawBufferPointer, _ count: Int, _ order: ByteOrder
    ) -> [T] {
        unsafe withUnsafeTemporaryAllocation(of: T.self, capacity: count) { numbers in
            for index in 0..<count {
                let raw = unsafe field.loadUnaligned(fromByteOffset: index &* MemoryLayout<T>.size, as: T.self)
                unsafe numbers.initializeElement(
                    at: index, to: order == .littleEndian ? T(littleEndian: raw) : T(bigEndian: raw))
            }
            return unsafe [T](UnsafeBufferPointer(numbers))
        }
    }

    /// Reads a number of bytes as they are.
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)``.
    @inlinable
    public mutating func readBytes(_ count: Int) throws(SerDeError) -> Bytes {
        let start = try claim(count)
        return unsafe bytes.withUnsafeBytes { source in
            unsafe Bytes(copying: UnsafeRawBufferPointer(rebasing: source[start..<start &+ count]))
        }
    }

    /// Reads a number of bytes as UTF-8 text.
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)``, ``SerDeError/invalidText(offset:)``.
    @inlinable
    public mutating func readString(byteCount count: Int) throws(SerDeError) -> String {
        let start = try claim(count)
        let text = unsafe bytes.withUnsafeBytes { source in
            unsafe String(validating: UnsafeRawBufferPointer(rebasing: source[start..<start &+ count]), as: UTF8.self)
        }
        guard let text else {
            position = start
            throw .invalidText(offset: start)
        }
        return text
    }

    /// Passes over a number of bytes.
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)``.
    @inlinable
    public mutating func skip(_ count: Int) throws(SerDeError) { _ = try claim(count) }

    /// Applies the policy for bytes behind the last field.
    ///
    /// - Throws: ``SerDeError/trailingBytes(_:)``, when some are left and the policy is to reject them.
    @inlinable @inline(__always)
    public func finish(_ surplus: SurplusBytes) throws(SerDeError) {
        if surplus == .reject && remaining != 0 { throw .trailingBytes(remaining) }
    }
}

/// The order of the bytes of a number that spans several.
@frozen
public enum ByteOrder: Hashable, Sendable {
    /// Least significant byte first, as Bluetooth has it nearly everywhere; the default.
    case littleEndian
    /// Most significant byte first, as in iBeacon frames.
    case bigEndian
}
