// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// The limits of the daemon and the adapter in the peripheral role.
struct PeripheralLimits {
    /// The bytes of a packet of extended advertising; legacy advertising has 31 everywhere.
    var packetLength = 31
    var responseLength = 31
    /// The PHYs of extended advertising that the controller has; none where it has only legacy advertising.
    var secondaryPHYs: Set<SecondaryPHY> = []
    var instances = 1
    /// Whether `MinInterval` and `MaxInterval` are looked at.
    var hasIntervals = true
    /// Whether the controller's transmit power can be set.
    var hasTxPower = true
    /// Whether the kernel sends each advertisement by a set of the controller's own, all of which it forgets when the
    /// radio goes off (`hci_cc_le_clear_adv_sets` in `net/bluetooth/hci_event.c`).
    var forgetsAdvertisements = false
    var sockets = NotificationSockets.separate

    /// The first version that was seen to send more than 31 bytes.
    private static let longPackets = BlueZVersion(5, 82)

    /// Reads them from the objects of an adapter, as far as they are there.
    mutating func read(_ tree: ObjectMirror, adapter: String) {
        let version = tree.version(ofAdapter: adapter)
        sockets = NotificationSockets(version)
        guard let manager = tree[adapter, BlueZInterface.advertisingManager] else { return }
        let capabilities = manager[LEAdvertisingManager1.supportedCapabilities] ?? [:]
        let free = manager[LEAdvertisingManager1.supportedInstances] ?? 0
        let used = manager[LEAdvertisingManager1.activeInstances] ?? 0
        // 5.66 says 251 and refuses more than 31 (`bt_ad_generate` in `src/shared/ad.c`).
        let isLong = version.map { $0 >= Self.longPackets } ?? true
        packetLength = isLong ? capabilities[LEAdvertisingManager1.maximumAdvertisementLength].map(Int.init) ?? 31 : 31
        let channels = manager[LEAdvertisingManager1.supportedSecondaryChannels] ?? []
        secondaryPHYs = Set(SecondaryPHY.allCases.filter { channels.contains($0.channel) })
        responseLength = capabilities[LEAdvertisingManager1.maximumScanResponseLength].map(Int.init) ?? 31
        instances = max(Int(free) + Int(used), 1)
        // 5.56 through 5.76 show these properties, and look at the intervals and the power, only with -E; later
        // versions always.
        hasIntervals = manager.has(LEAdvertisingManager1.supportedCapabilities)
        let features = manager[LEAdvertisingManager1.supportedFeatures] ?? []
        hasTxPower = features.contains("CanSetTxPower")
        forgetsAdvertisements = features.contains("HardwareOffload")
    }
}

extension SecondaryPHY {
    /// The name in `SecondaryChannel`.
    var channel: String {
        switch self {
        case .le1M: "1M"
        case .le2M: "2M"
        case .coded: "Coded"
        }
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
