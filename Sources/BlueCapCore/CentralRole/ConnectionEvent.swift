// SPDX-License-Identifier: MIT

/// What happens to a peripheral's connection.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum ConnectionEvent: Sendable, Hashable {
    /// It was made, for the first time or again.
    case connected
    /// An attempt took longer than its timeout and was cancelled.
    case timedOut
    /// It was lost, or an attempt failed; the error says why.
    case disconnected(PeripheralError)
    /// The program ended the connection, or the policy's mending of a lost one. A call to connect that it ended throws
    /// instead, without an event.
    case forcedDisconnect
    /// The ``ReconnectPolicy`` is exhausted; nothing more is tried until the program connects again.
    case gaveUp
}

/// A connection event with the peripheral that it is about.
public struct PeripheralConnectionEvent: Sendable {
    /// The peripheral to whose connection the event happened.
    public let peripheral: Peripheral
    /// The event, with the error where a connection failed or was lost.
    public let event: ConnectionEvent
}
