// SPDX-License-Identifier: MIT

/// The state of a peripheral's connection.
public enum PeripheralState: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// There is no link. The manager may be about to connect again, as the ``ReconnectPolicy`` has it.
    case disconnected
    /// An attempt to connect is under way, also while the peripheral is out of range.
    case connecting
    /// The link to the peripheral is up.
    case connected
    /// The connection, or the attempt at one, is being ended.
    case disconnecting

    /// The state's name.
    public var description: String { rawValue }
}
