// SPDX-License-Identifier: MIT

/// The options of CoreBluetooth that a backend passes on; none is set by default.
///
/// The option to connect again by itself is none of them: a `ReconnectPolicy` does that, and no call would use a
/// connection that none has asked for.
public struct CoreBluetoothOptions: Sendable, Hashable {
    /// Whether the system shows an alert when a manager begins while Bluetooth is switched off
    /// (`CBCentralManagerOptionShowPowerAlertKey`, and the same of the peripheral role).
    public var showsPowerAlert: Bool
    /// Whether the system shows an alert when a device is connected while the app is suspended
    /// (`CBConnectPeripheralOptionNotifyOnConnectionKey`).
    ///
    /// An app with the background mode `bluetooth-central` is woken in place of each of these three alerts.
    public var alertsOnConnection: Bool
    /// The same when a connection ends (`CBConnectPeripheralOptionNotifyOnDisconnectionKey`).
    public var alertsOnDisconnection: Bool
    /// The same when a device notifies a value (`CBConnectPeripheralOptionNotifyOnNotificationKey`).
    public var alertsOnNotification: Bool
    /// Whether each attempt says to the system that the device needs the notifications of the phone, the Apple
    /// Notification Center Service (`CBConnectPeripheralOptionRequiresANCS`), which the user has to allow. It has no
    /// effect on macOS and visionOS, and is unverified on hardware.
    public var requiresANCS: Bool

    /// Creates options; by default none is set.
    ///
    /// - Parameters:
    ///   - showsPowerAlert: Whether the system shows an alert when a manager begins while Bluetooth is switched off.
    ///   - alertsOnConnection: Whether it shows one for a connection while the app is suspended.
    ///   - alertsOnDisconnection: The same for the end of a connection.
    ///   - alertsOnNotification: The same for a notified value.
    ///   - requiresANCS: Whether a device has to be allowed the notifications of the phone.
    public init(
        showsPowerAlert: Bool = false, alertsOnConnection: Bool = false, alertsOnDisconnection: Bool = false,
        alertsOnNotification: Bool = false, requiresANCS: Bool = false
    ) {
        self.showsPowerAlert = showsPowerAlert
        self.alertsOnConnection = alertsOnConnection
        self.alertsOnDisconnection = alertsOnDisconnection
        self.alertsOnNotification = alertsOnNotification
        self.requiresANCS = requiresANCS
    }
}
