// SPDX-License-Identifier: MIT

/// A failure or a refusal of the platform, with the platform's name and text for it.
public struct BackendFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The platform's name for the error: a D-Bus error name (`org.bluez.Error.Failed`) or a `CBError` code.
    public let name: String
    /// The platform's own text.
    public let message: String
    /// The advice to the reader, as a clause in lower case; nil if nothing helps.
    public let advice: String?
    /// A Boolean value that is true if the same call may succeed when it is repeated.
    public let isTransient: Bool

    /// A Boolean value that is true if the peer ended the connection in order (error 0x13, 0x14 or 0x15).
    ///
    /// The metrics then count no failure.
    public var isGoodbye = false

    /// Creates a failure with the platform's name and text.
    ///
    /// - Parameters:
    ///   - name: The platform's name for the error.
    ///   - message: The platform's own text; may be empty.
    ///   - advice: The advice to the reader, as a clause in lower case.
    ///   - isTransient: A Boolean value that is true if the same call may succeed when it is repeated.
    public init(name: String, message: String, advice: String? = nil, isTransient: Bool = false) {
        self.name = name
        self.message = message
        self.advice = advice
        self.isTransient = isTransient
    }

    /// This failure as the goodbye of a peer.
    package var goodbye: BackendFailure {
        var goodbye = self
        goodbye.isGoodbye = true
        return goodbye
    }

    /// The message with the error's name, or the name alone if the message is empty.
    var text: String { message.isEmpty ? name : "\(message) (\(name))" }

    /// The text of the failure, followed by the advice after a colon.
    public var description: String { advice.map { "\(text): \($0)" } ?? text }
}
