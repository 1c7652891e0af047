// SPDX-License-Identifier: MIT

/// A connection event with the peripheral that it is about.
public struct PeripheralConnectionEvent: Sendable {
    /// The peripheral to whose connection the event happened.
    public let peripheral: Peripheral
    /// What happened to it.
    public let event: ConnectionEvent
}
