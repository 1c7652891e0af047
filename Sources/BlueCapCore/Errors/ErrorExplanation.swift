// SPDX-License-Identifier: MIT

/// What an error means: its kind of reason, what went wrong, and what the reader can do about it.
///
/// Both texts are clauses in lower case without a full stop, so that they fit into a longer line.
public struct ErrorExplanation: Sendable, Hashable {
    /// The kind of reason, the same over all layers.
    public let reason: ErrorReason
    /// What went wrong.
    public let message: String
    /// What the reader can do about it, with the name of the call that was missed where one was; nil where nothing
    /// helps.
    public let advice: String?

    /// Creates an explanation of an error.
    ///
    /// - Parameters:
    ///   - reason: The kind of reason.
    ///   - message: What went wrong, as a clause.
    ///   - advice: What to do about it, as a clause; nil where nothing helps.
    public init(_ reason: ErrorReason, _ message: String, advice: String? = nil) {
        self.reason = reason
        self.message = message
        self.advice = advice
    }
}

extension ErrorExplanation: CustomStringConvertible {
    /// The message, and the advice behind a colon.
    public var description: String { advice.map { "\(message): \($0)" } ?? message }
}
