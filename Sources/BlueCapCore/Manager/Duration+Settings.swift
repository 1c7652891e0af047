// SPDX-License-Identifier: MIT

#if Configuration
import BlueCapRuntime
public import Configuration

extension Duration {
    /// Creates a duration, such as the timeout of a call, of a number of seconds that a reader has; nil for a key
    /// without a value.
    ///
    /// - Parameters:
    ///   - reader: The reader of swift-configuration.
    ///   - key: The key of the number.
    /// - Throws: ``InvalidDuration``; the error of the reader for a value that is not a number.
    public init?(secondsIn reader: ConfigReader, forKey key: ConfigKey) async throws {
        guard let seconds = try await reader.fetchDouble(forKey: key) else { return nil }
        // A hundred years.
        guard (0...3_155_760_000).contains(seconds) else { throw InvalidDuration(key: "\(key)", seconds: seconds) }
        self.init(nearest: seconds)
    }
}

/// The error of a setting that is not a number of seconds from 0 through a hundred years.
public struct InvalidDuration: Error, Sendable, Hashable, CustomStringConvertible {
    /// The key of the setting.
    public let key: String
    /// The value of the setting.
    public let seconds: Double

    /// The value, and the values that are accepted.
    public var description: String { "\(key): \(seconds) is not a number of seconds from 0 to 3155760000" }
}
#endif
