// SPDX-License-Identifier: MIT

/// The fuzzer's bytes, taken one part after the other; beyond the end all are zero.
struct FuzzInput {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// A number of two bytes, little-endian.
    mutating func word() -> UInt16 {
        let low = byte()
        return UInt16(low) | UInt16(byte()) << 8
    }

    /// Reads as many of the remaining bytes as the next byte counts.
    mutating func counted() -> [UInt8] {
        let count = min(Int(byte()), bytes.count - position)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Reads all remaining bytes.
    mutating func rest() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[position...])
    }

    /// A text whose length is the next byte; bytes that are not UTF-8 are replaced.
    mutating func text() -> String { String(decoding: counted(), as: UTF8.self) }

    /// All remaining bytes as a text; bytes that are not UTF-8 are replaced.
    mutating func restOfText() -> String { String(decoding: rest(), as: UTF8.self) }

    /// One of some things.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[Int(word()) % choices.count] }
}
