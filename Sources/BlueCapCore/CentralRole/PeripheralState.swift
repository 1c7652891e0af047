// SPDX-License-Identifier: MIT

/// The state of a peripheral's connection.
public enum PeripheralState: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// There is none.
    case disconnected
    /// It is being made.
    case connecting
    /// It stands.
    case connected
    /// It is being ended.
    case disconnecting

    /// The state's name.
    public var description: String { rawValue }
}
