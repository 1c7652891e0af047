// SPDX-License-Identifier: MIT

extension Bytes: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// The index of the first element, 0.
    @inlinable public var startIndex: Int { 0 }

    /// The number of bytes.
    @inlinable public var endIndex: Int { count }

    /// The number of bytes.
    @inlinable public var count: Int {
        if let heap { return heap.count }
        return unsafe withUnsafeBytes(of: words) { unsafe Int($0[31]) }
    }

    /// The byte at a position from 0; traps outside the value, as an array does.
    @inlinable
    public subscript(position: Int) -> UInt8 {
        get {
            if let heap { return heap[position] }
            return unsafe withUnsafeBytes(of: words) { all in
                let count = unsafe Int(all[31])
                precondition(position >= 0 && position < count, "index out of range")
                return unsafe all[position]
            }
        }
        set {
            if heap != nil {
                heap![position] = newValue
            } else {
                unsafe withUnsafeMutableBytes(of: &words) { all in
                    let count = unsafe Int(all[31])
                    precondition(position >= 0 && position < count, "index out of range")
                    unsafe all[position] = newValue
                }
            }
        }
    }

    /// Calls `body` with the bytes as one buffer, which is valid only during the call.
    ///
    /// - Returns: The result of `body`; never nil.
    /// - Throws: The error that `body` throws.
    @inlinable
    public func withContiguousStorageIfAvailable<R>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) rethrows -> R? {
        try unsafe withUnsafeBuffer { buffer in
            try unsafe buffer.withMemoryRebound(to: UInt8.self) { try unsafe body($0) }
        }
    }

    /// Replaces a range of bytes with others, and grows or shrinks the value accordingly.
    ///
    /// - Parameters:
    ///   - range: The range of indices to replace.
    ///   - elements: The bytes that take its place.
    public mutating func replaceSubrange<C: Collection>(
        _ range: Range<Int>, with elements: C
    ) where C.Element == UInt8 {
        var array = [UInt8](self)
        heap = nil
        array.replaceSubrange(range, with: elements)
        self = Bytes(array)
    }

    /// Adds one byte at the end.
    @inlinable
    public mutating func append(_ byte: UInt8) {
        if heap == nil && count < Self.inlineCapacity {
            unsafe withUnsafeMutableBytes(of: &words) { all in
                let end = unsafe all[31]
                unsafe all[Int(end)] = byte
                unsafe all[31] = end + 1
            }
        } else {
            appendToHeap(CollectionOfOne(byte))
        }
    }

    /// Adds the bytes of a sequence at the end.
    @inlinable
    public mutating func append<S: Sequence>(contentsOf elements: S) where S.Element == UInt8 {
        let more = Bytes(elements)
        let end = count
        if heap == nil && more.heap == nil && end + more.count <= Self.inlineCapacity {
            unsafe withUnsafeMutableBytes(of: &words) { all in
                unsafe more.withUnsafeBuffer { source in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: all[end...]).copyMemory(from: source)
                }
                unsafe all[31] = UInt8(truncatingIfNeeded: end + more.count)
            }
        } else {
            appendToHeap(more)
        }
    }

    @inline(never) @usableFromInline
    mutating func appendToHeap(_ elements: some Collection<UInt8>) {
        var array = heap ?? [UInt8](self)
        heap = nil
        words = (0, 0, 0, 0)
        array.append(contentsOf: elements)
        self = Bytes(array)
    }
}

extension Bytes: ExpressibleByArrayLiteral {
    /// Bytes from a literal, as in `let value: Bytes = [0x01, 0xff]`.
    @inlinable
    public init(arrayLiteral elements: UInt8...) { self.init(elements) }
}

extension Bytes: Hashable {
    /// Returns whether two values have the same bytes, wherever each keeps them.
    @inlinable
    public static func == (left: Bytes, right: Bytes) -> Bool {
        // Tuples compare field by field; one value inline and the other on the heap differ in length, hence in bytes.
        left.words == right.words && (left.heap == nil ? right.heap == nil : left.heap == right.heap)
    }

    /// Feeds the bytes and their count to the hasher.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        unsafe withUnsafeBuffer { unsafe hasher.combine(bytes: $0) }
    }
}
