// SPDX-License-Identifier: MIT

#if Configuration
public import Configuration

extension ReconnectPolicy {
    /// Creates a policy of the values that a reader of swift-configuration has for these keys; a key without a value
    /// stands for the default.
    ///
    /// The keys are `maximumTimeouts` and `maximumDisconnections` (-1 for any number), and in seconds `backoff` (the
    /// wait before each attempt), `maximumBackoff` (with it the wait doubles up to this one) and `maximumAbsence`.
    ///
    /// - Throws: The error of the reader for a value of another type, which names the key; ``InvalidDuration``.
    public init(_ reader: ConfigReader) async throws {
        self.init()
        if let count = try await reader.fetchInt(forKey: "maximumTimeouts") {
            maximumTimeouts = count < 0 ? nil : count
        }
        if let count = try await reader.fetchInt(forKey: "maximumDisconnections") {
            maximumDisconnections = count < 0 ? nil : count
        }
        let wait = try await Duration(secondsIn: reader, forKey: "backoff") ?? .seconds(1)
        let longest = try await Duration(secondsIn: reader, forKey: "maximumBackoff")
        backoff = longest.map { .exponential(initial: wait, maximum: $0) } ?? .constant(wait)
        maximumAbsence = try await Duration(secondsIn: reader, forKey: "maximumAbsence")
    }
}
#endif
