// SPDX-License-Identifier: MIT

/// What happens to a peripheral's connection.
public enum ConnectionEvent: Sendable, Hashable {
    /// It was made, for the first time or again.
    case connected
    /// An attempt took longer than its timeout and was taken back.
    case timedOut
    /// It was lost, or an attempt failed; the error says why.
    case disconnected(PeripheralError)
    /// The program ended it.
    case forcedDisconnect
    /// The ``ReconnectPolicy`` is exhausted; nothing more is tried until the program connects again.
    case gaveUp
}

/// A connection event with the peripheral that it is about.
public struct PeripheralConnectionEvent: Sendable {
    /// Whose connection.
    public let peripheral: Peripheral
    /// What happened to it.
    public let event: ConnectionEvent
}

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
