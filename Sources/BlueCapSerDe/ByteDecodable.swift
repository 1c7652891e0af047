// SPDX-License-Identifier: MIT

/// A value that can be read from bytes.
public protocol ByteDecodable: Sendable {
    /// Reads one value and leaves the reader behind it.
    ///
    /// - Throws: `SerDeError` when bytes are missing, or are no value of the type. It must not trap: the bytes come
    ///   from a radio.
    init(from reader: inout ByteReader) throws(SerDeError)

    /// The treatment of bytes behind a value of this type by ``SerDe``, unless a call specifies another. The default is
    /// to reject them.
    static var surplusBytes: SurplusBytes { get }
}

extension ByteDecodable {
    /// Surplus bytes are rejected.
    @inlinable public static var surplusBytes: SurplusBytes { .reject }
}
