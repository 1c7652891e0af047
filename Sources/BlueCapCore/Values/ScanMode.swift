// SPDX-License-Identifier: MIT

/// The packets that a scan hears.
///
/// A minor version may add cases: a `switch` outside the package needs a `default`.
public enum ScanMode: Sendable, Hashable {
    /// The packets that the platform reports: it may leave out repeated ones and join several in one.
    case active
    /// Every packet that the radio receives, each with its own content and strength; ``ScanOptions/allowsDuplicates``
    /// then counts as set.
    ///
    /// BlueZ's daemon does not report them: they come from the kernel's management interface beside it, for which the
    /// process needs `CAP_NET_ADMIN`. While a program discovers, as this scan does, the kernel joins an advertisement
    /// and its scan response in one. Where another program removes the kernel's monitor, the daemon's reports take the
    /// place of the packets for about a second. CoreBluetooth has no such scan. Where it cannot be had the scan ends
    /// with ``CentralManagerError/scanModeNotSupported(_:_:)``.
    case everyPacket
    /// Packets with one of some patterns, for which the radio sends nothing itself: no scan response is asked for.
    ///
    /// A scan has 1 to ``maximumPatternCount`` patterns; with others it ends with
    /// ``CentralManagerError/invalidScanMode(_:)``. With `signal` a peripheral is found and lost by the strength of its
    /// signal, and ``ScanOptions/lostAfter`` has no meaning. While another scan, of this program or of another, is not
    /// passive, the radio asks for scan responses, and they come with the packets.
    ///
    /// Over BlueZ this is an advertisement monitor, which `bluetoothd` has with `-E` alone. It tells that a device is
    /// there and that its data change, or its signal strength by 8 dB. It cannot look for service data. Where
    /// passive scans cannot be had, as in CoreBluetooth, the scan ends with
    /// ``CentralManagerError/scanModeNotSupported(_:_:)``.
    case passive(patterns: [AdvertisingPattern], signal: SignalThresholds? = nil)

    /// The most patterns that a passive scan has.
    public static let maximumPatternCount = 16

    /// A Boolean value that is true for a passive scan.
    public var isPassive: Bool { if case .passive = self { true } else { false } }

    /// Whether a peripheral is found and lost by the strength of its signal.
    package var hasSignal: Bool { signal != nil }

    var signal: SignalThresholds? { if case .passive(_, let signal) = self { signal } else { nil } }
}
