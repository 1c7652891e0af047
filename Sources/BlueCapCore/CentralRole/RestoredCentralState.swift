// SPDX-License-Identifier: MIT

/// The state that a ``CentralManager`` restored from an earlier run of the program: see
/// ``CentralManager/restoredState()``.
public struct RestoredCentralState: Sendable {
    /// The peripherals that were connected, or that the program wanted connected.
    ///
    /// They are connected again as soon as the radio is on: immediately if the link is still up, otherwise by their
    /// ``Peripheral/reconnectPolicy``. ``Peripheral/connect(timeout:)`` waits for the connection.
    public internal(set) var peripherals: [Peripheral] = []
    /// The characteristics whose notifications were on.
    ///
    /// Notifications are on again before the connection is reported. The newest 1,024 values are held for
    /// ``Characteristic/notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)``, and older values are
    /// counted as dropped.
    public internal(set) var characteristics: [Characteristic] = []
    /// The scans that ran without a timeout, for the app to begin again.
    public internal(set) var scans: [CentralRestoration.Scan] = []

    var isEmpty: Bool { peripherals.isEmpty && scans.isEmpty }
}
