// SPDX-License-Identifier: MIT

/// What the platform underneath said when it refused or failed, in its own words.
public struct BackendFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The platform's name for the error: a D-Bus error name (`org.bluez.Error.Failed`) or a `CBError` code.
    public let name: String
    /// The platform's own text.
    public let message: String
    /// What the reader can do about it, in a sentence; absent where there is nothing to say.
    public let advice: String?
    /// Whether the same call may well succeed when repeated.
    public let isTransient: Bool

    /// A failure in the platform's words.
    public init(name: String, message: String, advice: String? = nil, isTransient: Bool = false) {
        self.name = name
        self.message = message
        self.advice = advice
        self.isTransient = isTransient
    }

    /// What went wrong and what to do about it, in a sentence.
    public var description: String {
        let base = message.isEmpty ? name : "\(message) (\(name))"
        return advice.map { "\(base). \($0)" } ?? base
    }
}
