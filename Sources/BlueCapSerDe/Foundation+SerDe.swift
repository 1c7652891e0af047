// SPDX-License-Identifier: MIT

// On Linux these two types alone are taken: the rest of Foundation, with all of Unicode's data, is not loaded for them.
#if canImport(FoundationEssentials)
public import FoundationEssentials
#elseif canImport(Foundation)
public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)

extension Bytes {
    /// Creates a copy of the bytes of a `Data`.
    @inlinable
    public init(_ data: Data) {
        self = unsafe data.withUnsafeBytes { unsafe Bytes(copying: $0) }
    }

    /// A copy of the bytes as a `Data`.
    @inlinable
    public var data: Data { unsafe withUnsafeBuffer { unsafe Data($0) } }
}

extension BluetoothUUID {
    /// Creates the identifier with the same 128 bits.
    public init(_ uuid: UUID) {
        let bytes = unsafe withUnsafeBytes(of: uuid.uuid) { unsafe $0.map(UInt64.init) }
        self.init(
            high: bytes[..<8].reduce(0) { $0 << 8 | $1 },
            low: bytes[8...].reduce(0) { $0 << 8 | $1 })
    }

    /// All 128 bits as Foundation's type.
    public var foundationUUID: UUID {
        var value = UUID().uuid
        unsafe withUnsafeMutableBytes(of: &value) { room in
            for (index, byte) in fullLittleEndianBytes.reversed().enumerated() { unsafe room[index] = byte }
        }
        return UUID(uuid: value)
    }
}

extension SerDe {
    /// Returns the value that the bytes of a `Data`, slices included, stand for.
    ///
    /// - Parameters:
    ///   - data: The bytes of the value.
    ///   - type: The type of the value.
    ///   - surplus: The treatment of bytes behind the value.
    /// - Throws: ``SerDeError``. No bytes, however malformed, cause a trap.
    @inlinable
    public static func deserialize<T: ByteDecodable>(
        _ data: Data, as type: T.Type = T.self, surplus: SurplusBytes = T.surplusBytes
    ) throws(SerDeError) -> T {
        // Foundation's closure has no typed throws. The error leaves in a variable, without a box: that takes fewer
        // instructions than a `Result`.
        var failure = SerDeError.invalidValue()
        let value = unsafe data.withUnsafeBytes { buffer -> T? in
            do throws(SerDeError) {
                return try deserialize(unsafe RawSpan(_unsafeBytes: buffer), as: type, surplus: surplus)
            } catch {
                failure = error
                return nil
            }
        }
        guard let value else { throw failure }
        return value
    }

    /// Returns a value's bytes as a `Data`.
    ///
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - type: `Data.self`, to choose this overload.
    @inlinable @_disfavoredOverload
    public static func serialize(_ value: some ByteEncodable, as type: Data.Type) -> Data {
        let capacity = value.encodedByteCount
        guard _fastPath(capacity <= 32) else { return serializeToHeap(value, capacity, as: type) }
        @inline(__always) func fill(_ all: UnsafeMutableRawBufferPointer) -> Data {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: all[0..<capacity])
            var output = unsafe OutputRawSpan(buffer: room, initializedCount: 0)
            value.encode(into: &output)
            return unsafe Data(bytes: all.baseAddress!, count: output.finalize(for: room))
        }
        return unsafe withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8, fill)
    }

    @inline(never) @inlinable
    static func serializeToHeap(_ value: some ByteEncodable, _ capacity: Int, as type: Data.Type) -> Data {
        unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 8) { room in
            var output = unsafe OutputRawSpan(buffer: room, initializedCount: 0)
            value.encode(into: &output)
            let count = unsafe output.finalize(for: room)
            return unsafe Data(bytes: room.baseAddress!, count: count)
        }
    }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public static func serialize(_ value: UntypedLiteral, as type: Data.Type) -> Data { Data(value.bytes) }
}

extension SerDe {
    /// Returns the values that the bytes of a `Data` stand for, one behind the other.
    ///
    /// - Parameters:
    ///   - data: The bytes to read.
    ///   - first: The type of the first value.
    ///   - second: The type of the second value.
    ///   - rest: The types of the values after those, in their order.
    ///   - surplus: The treatment of bytes after the last value.
    /// - Throws: ``SerDeError``. No bytes, however malformed, cause a trap.
    @inlinable
    public static func deserialize<First: ByteDecodable, Second: ByteDecodable, each Rest: ByteDecodable>(
        _ data: Data, as first: First.Type, _ second: Second.Type, _ rest: repeat (each Rest).Type,
        surplus: SurplusBytes = .reject
    ) throws(SerDeError) -> (First, Second, repeat each Rest) {
        try unsafe data.withUnsafeBytes { buffer -> Result<(First, Second, repeat each Rest), SerDeError> in
            do throws(SerDeError) {
                let span = unsafe RawSpan(_unsafeBytes: buffer)
                return .success(try deserialize(span, as: first, second, repeat each rest, surplus: surplus))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Not offered: where one element ends is known only of elements of a fixed size.
    @available(*, unavailable, message: "the elements of an array must conform to FixedSizeCodable")
    public static func deserialize<Element>(
        _ data: Data, as type: [Element].Type = [Element].self, surplus: SurplusBytes = .reject
    ) throws(SerDeError) -> [Element] { [] }

    /// Returns the text that all the bytes of a `Data` stand for.
    ///
    /// - Parameters:
    ///   - data: The bytes of the text.
    ///   - encoding: The encoding of the text.
    /// - Throws: ``SerDeError/invalidText(offset:)`` when they are not text in the encoding.
    public static func deserialize(_ data: Data, encoding: TextEncoding) throws(SerDeError) -> String {
        try deserialize(Bytes(data), encoding: encoding)
    }
}

extension DateTime {
    /// The parts as Foundation has them, nil where they are unknown. The time zone is left open.
    public var dateComponents: DateComponents {
        DateComponents(
            year: year.map(Int.init), month: month.map(Int.init), day: day.map(Int.init), hour: Int(hours),
            minute: Int(minutes), second: Int(seconds))
    }
}

extension SerDeError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension BluetoothUUIDError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension Bytes.HexError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
#endif
