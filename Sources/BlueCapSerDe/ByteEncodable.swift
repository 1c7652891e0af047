// SPDX-License-Identifier: MIT

/// A value that can be written as bytes.
public protocol ByteEncodable: Sendable {
    /// The most bytes that `encode(into:)` appends.
    var encodedByteCount: Int { get }

    /// Appends the value's bytes. Appending more than `encodedByteCount` traps and never writes past the end.
    func encode(into output: inout OutputRawSpan)
}
