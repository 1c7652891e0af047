// SPDX-License-Identifier: MIT

/// A connection event with the peripheral that it is about.
public struct PeripheralConnectionEvent: Sendable {
    /// The peripheral to whose connection the event happened.
    public let peripheral: Peripheral
    /// The event, with the error where a connection failed or was lost.
    public let event: ConnectionEvent
}
