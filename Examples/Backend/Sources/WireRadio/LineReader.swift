// SPDX-License-Identifier: MIT

import Foundation

/// Builds messages from the bytes of a stream, which come in pieces of any length.
///
/// The bytes are untrusted: a line that is not a message, or that does not end, is an error; it never traps, and never
/// takes unbounded memory.
public struct LineReader {
    /// The largest length of a line in bytes; a database of many services is the longest message.
    public static let maximumLineLength = 1 << 16

    private var rest: [UInt8] = []

    /// Creates a reader of a stream that begins.
    public init() {}

    /// Adds bytes.
    ///
    /// - Returns: The messages that are complete by now, in order.
    /// - Throws: `DecodingError` when a line is no message, `LineTooLong` when it does not end.
    public mutating func messages(adding bytes: [UInt8]) throws -> [Message] {
        rest += bytes
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The bytes after the last line feed wait for the rest of their line.
        rest = lines.popLast().map { Array($0) } ?? []
        guard rest.count <= Self.maximumLineLength else { throw LineTooLong() }
        let decoder = JSONDecoder()
        return try lines.map { try decoder.decode(Message.self, from: Data($0)) }
    }

    /// A line did not end in time.
    public struct LineTooLong: Error {}
}
