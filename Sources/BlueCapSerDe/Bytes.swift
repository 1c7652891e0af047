// SPDX-License-Identifier: MIT

/// The bytes of a value that crosses a public call: read, written, notified or advertised.
///
/// ```swift
/// let bytes: Bytes = [0x01, 0x10, 0x27]
/// print(bytes.count, bytes[0], bytes.hex)             // 3 1 011027
/// let rate: UInt16 = try bytes.read(at: 1)            // 10,000: little endian
/// let typed = try Bytes(hex: "01 10 27")              // of text that a person typed
/// ```
///
/// Up to ``inlineCapacity`` (31) bytes live inside the value itself, so a notification at the default ATT MTU (20
/// bytes) or a legacy advertisement (31 bytes) costs no allocation. Longer values live in a heap buffer with copy on
/// write. Equality and hashing see only the bytes, not where they are kept.
@frozen
public struct Bytes: Sendable {
    /// The most bytes that are kept without a heap allocation.
    @inlinable public static var inlineCapacity: Int { 31 }

    // Invariant: `heap` is nil exactly when there are at most 31 bytes. Then they are the first bytes of `words`, those
    // behind them are zero, and the last of the 32 is the count, so that equality is four word comparisons.
    // With a heap buffer `words` is all zero.
    @usableFromInline var heap: [UInt8]?
    @usableFromInline var words: (UInt64, UInt64, UInt64, UInt64)

    /// Creates an empty sequence of bytes.
    @inlinable
    public init() {
        heap = nil
        words = (0, 0, 0, 0)
    }

    /// Creates a value of at most `capacity` bytes, which `body` appends to a span.
    ///
    /// Appending more than `capacity` bytes traps before anything is written past the end.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes that the span has room for.
    ///   - body: Appends the bytes. The span is valid only during the call.
    /// - Throws: The error that `body` throws.
    @inlinable
    public init<E: Error>(
        capacity: Int, initializingWith body: (inout OutputRawSpan) throws(E) -> Void
    ) throws(E) {
        precondition(capacity >= 0, "a capacity cannot be negative")
        self.init()
        if _fastPath(capacity <= Self.inlineCapacity) {
            try unsafe withUnsafeMutableBytes(of: &words) { (all: UnsafeMutableRawBufferPointer) throws(E) -> Void in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: all[0..<capacity])
                var out = unsafe OutputRawSpan(buffer: room, initializedCount: 0)
                try body(&out)
                let count = unsafe out.finalize(for: room)
                if count < capacity { unsafe Self.clear(all, from: count, to: capacity) }
                unsafe all[31] = UInt8(truncatingIfNeeded: count)
            }
        } else {
            self = Self(holding: try Self.array(capacity: capacity, body))
        }
    }

    /// Sets bytes to zero that were written and then dropped, as the invariant requires.
    @inlinable @inline(never)
    static func clear(_ all: UnsafeMutableRawBufferPointer, from start: Int, to end: Int) {
        for index in start..<end { unsafe all[index] = 0 }
    }

    /// Creates a copy of an array's bytes.
    @inlinable
    public init(_ array: [UInt8]) {
        if array.count > Self.inlineCapacity {
            self.init(holding: array)
        } else {
            self = unsafe array.withUnsafeBytes { unsafe Bytes(copying: $0) }
        }
    }

    /// Creates a copy of the bytes in a raw span.
    @inlinable
    public init(_ span: RawSpan) {
        self = unsafe span.withUnsafeBytes { unsafe Bytes(copying: $0) }
    }

    /// Creates a copy of a sequence's bytes.
    @inlinable
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {
        let copy = elements.withContiguousStorageIfAvailable {
            unsafe Bytes(copying: UnsafeRawBufferPointer($0))
        }
        self = copy ?? Bytes([UInt8](elements))
    }

    /// Creates a copy of a buffer's bytes.
    @unsafe @inlinable
    public init(copying buffer: UnsafeRawBufferPointer) {
        if _fastPath(buffer.count <= Self.inlineCapacity) {
            self.init()
            unsafe withUnsafeMutableBytes(of: &words) { all in
                unsafe all.copyMemory(from: buffer)
                unsafe all[31] = UInt8(truncatingIfNeeded: buffer.count)
            }
        } else {
            unsafe self.init(heapCopying: buffer)
        }
    }

    /// Calls `body` with the bytes as a span, which is valid only during the call.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error that `body` throws.
    @inlinable
    public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try unsafe withUnsafeBytes(of: words) { (all: UnsafeRawBufferPointer) throws(E) -> R in
            let inlined = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: all[0..<Int(all[31])]))
            guard let heap else { return try body(inlined) }
            // `Array.span` is not there before macOS 26 and its siblings.
            return try unsafe heap.withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) throws(E) -> R in
                try unsafe body(bytes.span.bytes)
            }
        }
    }

    /// Calls `body` with the bytes as a buffer pointer, which is valid only during the call.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error that `body` throws.
    @unsafe @inlinable
    public func withUnsafeBuffer<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withBytes { (span: RawSpan) throws(E) -> R in
            try unsafe span.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) throws(E) -> R in try unsafe body(buffer)
            }
        }
    }
}

// MARK: - Storage

extension Bytes {
    /// Keeps the array itself when it is too long to be held inline.
    @inline(never) @usableFromInline
    init(holding array: [UInt8]) {
        if array.count > Self.inlineCapacity {
            self.init()
            heap = array
        } else {
            self.init(array)
        }
    }

    @unsafe @inline(never) @usableFromInline
    init(heapCopying buffer: UnsafeRawBufferPointer) {
        heap = unsafe [UInt8](buffer)
        words = (0, 0, 0, 0)
    }

    /// Fills a temporary buffer and copies it to an array: the only way to build one that is specialised in full.
    @inlinable @inline(never)
    static func array<E: Error>(
        capacity: Int, _ body: (inout OutputRawSpan) throws(E) -> Void
    ) throws(E) -> [UInt8] {
        try unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 8) {
            (room: UnsafeMutableRawBufferPointer) throws(E) -> [UInt8] in
            var out = unsafe OutputRawSpan(buffer: room, initializedCount: 0)
            try body(&out)
            let count = unsafe out.finalize(for: room)
            return unsafe [UInt8](UnsafeRawBufferPointer(rebasing: room[0..<count]))
        }
    }
}

extension Bytes {
    /// Returns the value that begins at an offset; bytes before it and behind it do not count.
    ///
    /// ```swift
    /// let level = try frame.read(UInt16.self, at: 2)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - offset: Where the value begins; 0 is the first byte.
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` where too few bytes are left, or the offset is
    ///   behind the last byte or negative; the error of the type's own decoding.
    @inlinable
    public func read<T: ByteDecodable>(_ type: T.Type = T.self, at offset: Int) throws(SerDeError) -> T {
        try withBytes { (span: RawSpan) throws(SerDeError) -> T in
            var reader = ByteReader(span)
            try reader.skip(offset)
            return try T(from: &reader)
        }
    }
}
