// SPDX-License-Identifier: MIT

/// The packets that a scan hears.
///
/// A minor version may add cases: a `switch` outside the package needs a `default`.
public enum ScanMode: String, Sendable, Hashable, Codable, CaseIterable {
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
}
