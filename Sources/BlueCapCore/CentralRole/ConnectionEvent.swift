// SPDX-License-Identifier: MIT

/// What happens to a peripheral's connection.
public enum ConnectionEvent: Sendable, Hashable {
    /// It was made, for the first time or again.
    case connected
    /// An attempt took longer than its timeout and was cancelled.
    case timedOut
    /// It was lost, or an attempt failed; the error says why.
    case disconnected(PeripheralError)
    /// The program ended it.
    case forcedDisconnect
    /// The ``ReconnectPolicy`` is exhausted; nothing more is tried until the program connects again.
    case gaveUp
}
