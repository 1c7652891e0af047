// SPDX-License-Identifier: MIT

/// The explanation of an error: its reason, a message, and advice to the reader.
///
/// Both texts are clauses in lower case without a full stop, so that they fit into a longer line.
public struct ErrorExplanation: Sendable, Hashable {
    /// The reason of the error, from the reasons that all layers share.
    public let reason: ErrorReason
    /// The description of the failure.
    public let message: String
    /// The advice to the reader, with the name of a missed call if there is one; nil if nothing helps.
    public let advice: String?

    /// Creates an explanation of an error.
    ///
    /// - Parameters:
    ///   - reason: The reason of the error.
    ///   - message: The description of the failure, as a clause.
    ///   - advice: The advice to the reader, as a clause; nil if nothing helps.
    public init(_ reason: ErrorReason, _ message: String, advice: String? = nil) {
        self.reason = reason
        self.message = message
        self.advice = advice
    }
}

extension ErrorExplanation: CustomStringConvertible {
    /// The message, followed by the advice after a colon.
    public var description: String { advice.map { "\(message): \($0)" } ?? message }
}
