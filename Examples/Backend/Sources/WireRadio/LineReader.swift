// SPDX-License-Identifier: MIT

import Foundation

/// Puts messages together from the bytes of a stream, which come in pieces of any length.
///
/// What arrives is untrusted: a line that is no message, or that does not end, is an error, and no reason to trap or to
/// take ever more memory.
public struct LineReader {
    /// How long a line may be; a database of many services is the longest message.
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
        // What follows the last line feed waits for the bytes to come.
        rest = lines.popLast().map { Array($0) } ?? []
        guard rest.count <= Self.maximumLineLength else { throw LineTooLong() }
        let decoder = JSONDecoder()
        return try lines.map { try decoder.decode(Message.self, from: Data($0)) }
    }

    /// A line did not end in time.
    public struct LineTooLong: Error {}
}
