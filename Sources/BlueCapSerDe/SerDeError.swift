// SPDX-License-Identifier: MIT

/// The reason for which bytes are not the value that was requested.
///
/// Throwing one allocates nothing: every payload is a plain number. Offsets count from 0 at the start of the bytes.
@frozen
public enum SerDeError: Error, Hashable, Sendable {
    /// At `offset` a field needs `needed` bytes, but only `available` are left.
    case truncated(needed: Int, available: Int, offset: Int)
    /// The bytes are there but are no value of the type; `offset` is where the value starts, if known.
    case invalidValue(offset: Int? = nil)
    /// The text that starts at this offset is not valid in its encoding, which is UTF-8 unless another was asked for;
    /// or the text to be written there cannot be expressed in it.
    case invalidText(offset: Int)
    /// This many bytes are left behind the value, and the policy is ``SurplusBytes/reject``.
    case trailingBytes(Int)
}

extension SerDeError: CustomStringConvertible {
    /// A sentence with the needed bytes or the fault, and its place.
    public var description: String {
        switch self {
        case .truncated(let needed, let available, let offset):
            "truncated: \(Self.bytes(needed)) needed at offset \(offset), \(available) available"
        case .invalidValue(let offset?):
            "invalid value: the bytes at offset \(offset) are outside what the type allows"
        case .invalidValue(nil):
            "invalid value: it is outside what the type allows"
        case .invalidText(let offset):
            "invalid text: what starts at offset \(offset) is not text in the encoding asked for (UTF-8 by default)"
        case .trailingBytes(let count):
            "\(Self.bytes(count)) left over behind the value"
        }
    }

    private static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}
