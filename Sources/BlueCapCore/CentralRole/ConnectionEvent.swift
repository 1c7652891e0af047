// SPDX-License-Identifier: MIT

/// An event of a peripheral's connection.
///
/// A minor version may add cases: a `switch` outside the package needs a `default`.
public enum ConnectionEvent: Sendable, Hashable {
    /// The connection was made, for the first time or again.
    case connected
    /// An attempt took longer than its timeout and was cancelled.
    case timedOut
    /// The connection was lost, or an attempt failed; the error is the reason.
    case disconnected(PeripheralError)
    /// The program ended the connection, or the policy's attempts to restore a lost connection.
    ///
    /// If the program ended a call to connect, the call throws and there is no event.
    case forcedDisconnect
    /// The ``ReconnectPolicy`` is exhausted; the manager makes no attempt until the program connects again.
    case gaveUp
}

/// A connection event with its peripheral.
public struct PeripheralConnectionEvent: Sendable {
    /// The peripheral of the connection.
    public let peripheral: Peripheral
    /// The event, with the error if a connection failed or was lost.
    public let event: ConnectionEvent
}
