// SPDX-License-Identifier: MIT

/// Why a behaviour was not shown.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// What was expected and what was there instead.
    public let sentence: String
    /// Where in the suite.
    public let location: String

    /// A failure at a place in the suite.
    public init(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) {
        self.sentence = sentence
        location = "\(file):\(line)"
    }

    /// The sentence with its place.
    public var description: String { "\(sentence) (\(location))" }
}
