// SPDX-License-Identifier: MIT

/// The reason for which a text or some bytes are not a Bluetooth UUID.
public enum BluetoothUUIDError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text has neither 4, 8 or 32 hexadecimal digits nor the 36 characters of a full UUID.
    case invalidLength(text: String)
    /// The character at this position (from 0) is not the one that the form needs there: a digit, or a hyphen.
    case invalidCharacter(Character, position: Int, text: String)
    /// This many bytes came; a UUID has 2, 4 or 16.
    case invalidByteCount(Int)

    /// A sentence with the fault, its place and the right form.
    public var description: String {
        switch self {
        case .invalidLength(let text):
            "'\(text)' is not a Bluetooth UUID: it has \(text.count) characters; write 4 or 8 hexadecimal digits "
                + "(180D, 0x180D, 0000180D), 32 digits, or 36 characters with hyphens"
        case .invalidCharacter(let character, let position, let text):
            "'\(text)' is not a Bluetooth UUID: '\(character)' at position \(position) should be a "
                + (text.utf8.count == 36 && BluetoothUUID.hyphenPositions.contains(position)
                    ? "hyphen" : "hexadecimal digit")
        case .invalidByteCount(let count):
            "\(count) bytes are not a Bluetooth UUID: it has 2, 4 or 16"
        }
    }
}
