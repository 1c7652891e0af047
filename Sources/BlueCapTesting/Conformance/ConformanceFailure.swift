// SPDX-License-Identifier: MIT

/// The reason for which a behaviour was not shown.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// A sentence with the expected and the actual result.
    public let sentence: String
    /// The file and line in the suite.
    public let location: String

    /// Creates a failure at a place in the suite.
    ///
    /// - Parameters:
    ///   - sentence: A sentence with the expected and the actual result.
    ///   - file: The file of the expectation.
    ///   - line: The line of the expectation.
    public init(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) {
        self.sentence = sentence
        location = "\(file):\(line)"
    }

    /// The sentence with its place.
    public var description: String { "\(sentence) (\(location))" }
}
