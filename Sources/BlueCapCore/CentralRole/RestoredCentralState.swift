// SPDX-License-Identifier: MIT

/// What a ``CentralManager`` took up from the program before it: see ``CentralManager/restoredState()``.
public struct RestoredCentralState: Sendable {
    /// The peripherals that were connected, or were to be. They are connected again as soon as the radio is on: at once
    /// where the link still stands, else as their ``Peripheral/reconnectPolicy`` says. ``Peripheral/connect(timeout:)``
    /// waits for it.
    public internal(set) var peripherals: [Peripheral] = []
    /// The characteristics whose notifications were on. Notifications are on again before the connection is reported,
    /// and values are held for
    /// ``Characteristic/notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)``: the newest 1,024, the
    /// others are counted.
    public internal(set) var characteristics: [Characteristic] = []
    /// The scans that ran without a timeout, for the app to begin again.
    public internal(set) var scans: [CentralRestoration.Scan] = []

    var isEmpty: Bool { peripherals.isEmpty && scans.isEmpty }
}
