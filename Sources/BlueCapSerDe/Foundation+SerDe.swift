#if canImport(Foundation)
public import Foundation

extension Bytes {
    /// A copy of the bytes of a `Data`.
    @inlinable
    public init(_ data: Data) {
        self = unsafe data.withUnsafeBytes { unsafe Bytes(copying: $0) }
    }

    /// A copy of the bytes as a `Data`.
    @inlinable
    public var data: Data { unsafe withUnsafeBuffer { unsafe Data($0) } }
}

extension BluetoothUUID {
    /// The identifier with the same 128 bits.
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
    /// The value that the bytes of a `Data` stand for, slices included.
    ///
    /// - Throws: ``SerDeError``. No bytes, however malformed, cause a trap.
    @inlinable
    public static func deserialize<T: ByteDecodable>(
        _ data: Data, as type: T.Type = T.self, surplus: SurplusBytes = T.surplusBytes
    ) throws(SerDeError) -> T {
        // Foundation's closure is not typed in what it throws: the outcome leaves as a value, without a box.
        try unsafe data.withUnsafeBytes { buffer -> Result<T, SerDeError> in
            do throws(SerDeError) {
                return .success(
                    try deserialize(unsafe RawSpan(_unsafeBytes: buffer), as: type, surplus: surplus))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// A value's bytes as a `Data`.
    @inlinable
    public static func serialize(_ value: some ByteEncodable, as type: Data.Type) -> Data {
        unsafe withUnsafeTemporaryAllocation(byteCount: value.encodedByteCount, alignment: 8) { room in
            var output = unsafe OutputRawSpan(buffer: room, initializedCount: 0)
            value.encode(into: &output)
            let count = unsafe output.finalize(for: room)
            return unsafe Data(UnsafeRawBufferPointer(rebasing: room[0..<count]))
        }
    }
}
#endif
