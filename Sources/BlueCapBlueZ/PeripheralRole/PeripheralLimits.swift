// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// The limits of the daemon and the adapter in the peripheral role.
struct PeripheralLimits {
    var packetLength = 31
    var responseLength = 31
    var instances = 1
    /// Whether `MinInterval` and `MaxInterval` are looked at.
    var hasIntervals = true
    /// Whether the controller's transmit power can be set.
    var hasTxPower = true
    var sockets = NotificationSockets.separate

    /// Reads them from the objects of an adapter, as far as they are there.
    mutating func read(_ tree: ObjectMirror, adapter: String) {
        sockets = NotificationSockets(tree.version(ofAdapter: adapter))
        guard let manager = tree[adapter, BlueZInterface.advertisingManager] else { return }
        let capabilities = manager[LEAdvertisingManager1.supportedCapabilities] ?? [:]
        let free = manager[LEAdvertisingManager1.supportedInstances] ?? 0
        let used = manager[LEAdvertisingManager1.activeInstances] ?? 0
        packetLength = capabilities[LEAdvertisingManager1.maximumAdvertisementLength].map(Int.init) ?? 31
        responseLength = capabilities[LEAdvertisingManager1.maximumScanResponseLength].map(Int.init) ?? 31
        instances = max(Int(free) + Int(used), 1)
        // 5.56 through 5.76 show these properties, and look at the intervals and the power, only with -E; later
        // versions always.
        hasIntervals = manager.has(LEAdvertisingManager1.supportedCapabilities)
        hasTxPower = manager[LEAdvertisingManager1.supportedFeatures]?.contains("CanSetTxPower") == true
    }
}

/// How a version of bluetoothd uses the sockets of `AcquireNotify` (`sock_io_read` in `src/gatt-database.c`).
enum NotificationSockets {
    /// Before 5.69 one is for all subscribers. Where two subscribe at once it asks for two and reads both, sends to all
    /// the values that come through either, and ends the later one when there is no subscriber any more.
    case single
    /// From 5.69 each subscriber has its own, and values that come through it go to all.
    case shared
    /// Since 5.76 values that come through the socket of a subscriber go to that one only.
    case separate

    init(_ version: BlueZVersion?) {
        switch version {
        case let version? where version < BlueZVersion(5, 69): self = .single
        case let version? where version < BlueZVersion(5, 76): self = .shared
        default: self = .separate
        }
    }
}
#endif
