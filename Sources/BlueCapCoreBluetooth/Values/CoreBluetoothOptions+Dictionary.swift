// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import CoreBluetooth

extension CoreBluetoothOptions {
    /// The options of an attempt to connect; nil for none. C11: the one to connect again by itself is never set.
    var ofConnection: [String: Any]? {
        var options: [String: Any] = [:]
        if alertsOnConnection { options[CBConnectPeripheralOptionNotifyOnConnectionKey] = true }
        if alertsOnDisconnection { options[CBConnectPeripheralOptionNotifyOnDisconnectionKey] = true }
        if alertsOnNotification { options[CBConnectPeripheralOptionNotifyOnNotificationKey] = true }
        #if !(os(macOS) || os(visionOS))
        if requiresANCS { options[CBConnectPeripheralOptionRequiresANCS] = true }
        #endif
        return options.isEmpty ? nil : options
    }
}
#endif
