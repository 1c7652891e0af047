// SPDX-License-Identifier: MIT

#if Configuration
public import Configuration

extension CentralManager.Configuration {
    /// Creates a configuration of the values that a reader of swift-configuration has for these keys; a key without a
    /// value stands for the default.
    ///
    /// The keys are `logLevel` (`debug`, `warning` or `off`), `logsNames` (with addresses, for ``LogPrivacy/plain``),
    /// `maximumDiscoveredPeripherals`, `maximumAttributes`, `acceptsJustWorks` and `restoreIdentifier`.
    ///
    /// - Throws: The error of the reader for a value of another type, which names the key.
    public init(_ reader: ConfigReader) async throws {
        self.init()
        logLevel = try await reader.fetchString(forKey: "logLevel", as: LogLevel.self, default: logLevel)
        logPrivacy = try await reader.fetchBool(forKey: "logsNames", default: false) ? .plain : .redacted
        maximumDiscoveredPeripherals = try await reader.fetchInt(
            forKey: "maximumDiscoveredPeripherals", default: maximumDiscoveredPeripherals)
        maximumAttributes = try await reader.fetchInt(forKey: "maximumAttributes", default: maximumAttributes)
        acceptsJustWorks = try await reader.fetchBool(forKey: "acceptsJustWorks", default: acceptsJustWorks)
        restoreIdentifier = try await reader.fetchString(forKey: "restoreIdentifier")
    }
}

extension PeripheralManager.Configuration {
    /// Creates a configuration of the values that a reader of swift-configuration has for these keys; a key without a
    /// value stands for the default.
    ///
    /// The keys are `logLevel` (`debug`, `warning` or `off`), `logsNames` (with addresses, for ``LogPrivacy/plain``),
    /// `maximumPendingUpdates`, `maximumOpenRequests`, `maximumCentrals`, `requestTimeLimit` (seconds),
    /// `acceptsJustWorks` and `restoreIdentifier`.
    ///
    /// - Throws: The error of the reader for a value of another type, which names the key; ``InvalidDuration``.
    public init(_ reader: ConfigReader) async throws {
        self.init()
        logLevel = try await reader.fetchString(forKey: "logLevel", as: LogLevel.self, default: logLevel)
        logPrivacy = try await reader.fetchBool(forKey: "logsNames", default: false) ? .plain : .redacted
        maximumPendingUpdates = try await reader.fetchInt(
            forKey: "maximumPendingUpdates", default: maximumPendingUpdates)
        maximumOpenRequests = try await reader.fetchInt(forKey: "maximumOpenRequests", default: maximumOpenRequests)
        maximumCentrals = try await reader.fetchInt(forKey: "maximumCentrals")
        requestTimeLimit = try await Duration(secondsIn: reader, forKey: "requestTimeLimit")
        acceptsJustWorks = try await reader.fetchBool(forKey: "acceptsJustWorks", default: acceptsJustWorks)
        restoreIdentifier = try await reader.fetchString(forKey: "restoreIdentifier")
    }
}
#endif
