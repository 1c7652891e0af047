// SPDX-License-Identifier: MIT

/// The name and the text with which the platform refused or failed.
public struct BackendFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The platform's name for the error: a D-Bus error name (`org.bluez.Error.Failed`) or a `CBError` code.
    public let name: String
    /// The platform's own text.
    public let message: String
    /// What the reader can do about it, as a clause in lower case; nil where nothing helps.
    public let advice: String?
    /// Whether the same call may well succeed when repeated.
    public let isTransient: Bool

    /// Whether the failure is the orderly end of a connection by the peer: it said goodbye (error 0x13, 0x14 or 0x15),
    /// and was not lost. The metrics count no failure then.
    public var isGoodbye = false

    /// Creates a failure with the platform's name and text.
    ///
    /// - Parameters:
    ///   - name: The platform's name for the error.
    ///   - message: The platform's own text; may be empty.
    ///   - advice: What the reader can do about it, as a clause in lower case.
    ///   - isTransient: Whether the same call may well succeed when repeated.
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

    /// The message with the error's name; the name alone where there is no message.
    var text: String { message.isEmpty ? name : "\(message) (\(name))" }

    /// What went wrong, and the advice behind a colon.
    public var description: String { advice.map { "\(text): \($0)" } ?? text }
}
