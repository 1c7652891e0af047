// SPDX-License-Identifier: MIT

/// A value with a form in bytes that is both read and written.
public typealias ByteCodable = ByteDecodable & ByteEncodable

/// A value that can be read from bytes.
public protocol ByteDecodable: Sendable {
    /// Reads one value and leaves the reader behind it.
    ///
    /// - Throws: `SerDeError` when bytes are missing, or are no value of the type. It must not trap: the bytes come
    ///   from a radio.
    init(from reader: inout ByteReader) throws(SerDeError)

    /// The treatment of bytes behind a value of this type by `SerDe`, unless a call specifies another. The default is
    /// to reject them.
    static var surplusBytes: SurplusBytes { get }
}

extension ByteDecodable {
    /// Surplus bytes are rejected.
    @inlinable public static var surplusBytes: SurplusBytes { .reject }

    /// Not offered: it stands here so that the compiler says what a type without it lacks.
    @available(
        *, unavailable,
        message: "write init(from:), as the article 'Serialization' of BlueCapSerDe shows, or let @Layout write it"
    )
    public init(from reader: inout ByteReader) throws(SerDeError) { throw .invalidValue() }
}

/// A value that can be written as bytes.
public protocol ByteEncodable: Sendable {
    /// The most bytes that `encode(into:)` appends.
    var encodedByteCount: Int { get }

    /// Appends the value's bytes. Appending more than `encodedByteCount` traps and never writes past the end.
    func encode(into output: inout OutputRawSpan)
}

/// The treatment of bytes that stand behind a value that was decoded in full.
@frozen
public enum SurplusBytes: Hashable, Sendable {
    /// Decoding throws ``SerDeError/trailingBytes(_:)``: the default, since surplus bytes mostly mean the wrong type.
    case reject
    /// They are left unread: for formats that newer peers may have extended.
    case ignore
}

/// The value of one kind of characteristic: its form in bytes, and the UUID under which peers offer it.
///
/// `peripheral.characteristic(Enabled.self)` takes such a type. ``RawDeserializable`` and ``RawArrayDeserializable``
/// refine it and bring the coding with them.
public protocol CharacteristicValue: ByteCodable {
    /// The UUID of the characteristic.
    static var uuid: BluetoothUUID { get }
}
