// SPDX-License-Identifier: MIT

public import BlueCapCore

/// A region of devices whose advertisements pass a test, which is entered and left: the devices that a program knows, a
/// kind of sensor, a phone.
///
/// It is monitored as a ``BeaconRegion`` is, by the same rules of entry and exit.
public struct DiscoveryRegion: Sendable, Identifiable {
    /// The program's own name for the region.
    public let identifier: String
    /// The time after the last device was heard until the region counts as left.
    public var exitDelay: Duration
    /// The weakest signal strength in dBm that counts as an entry; nil for any. An entered region is left only when no
    /// device is heard at all.
    public var entryRSSI: Int?
    private let test: @Sendable (Discovery) -> Bool

    /// Creates a region of the devices that pass a test.
    ///
    /// - Parameters:
    ///   - identifier: The program's own name for the region.
    ///   - entryRSSI: The signal strength in dBm from which a device counts as an entry; nil for any.
    ///   - exitDelay: The time after the last device was heard until the region counts as left.
    ///   - test: Returns whether a discovery belongs to the region. It is called for each advertisement, on the
    ///     central's executor, so it must neither block nor compute for long.
    public init(
        _ identifier: String, entryRSSI: Int? = nil, exitDelay: Duration = .seconds(30),
        where test: @escaping @Sendable (Discovery) -> Bool
    ) {
        self.identifier = identifier
        self.entryRSSI = entryRSSI
        self.exitDelay = exitDelay
        self.test = test
    }

    /// Creates a region of the iBeacons of a ``BeaconRegion``.
    ///
    /// - Parameter region: The region of iBeacons, with the rules of entry and exit.
    public init(_ region: BeaconRegion) {
        self.init(region.identifier, entryRSSI: region.entryRSSI, exitDelay: region.exitDelay) { discovery in
            IBeacon(discovery.advertisements).map(region.contains) ?? false
        }
    }

    /// The same as ``identifier``.
    public var id: String { identifier }

    /// Returns whether a discovery belongs to the region.
    public func contains(_ discovery: Discovery) -> Bool { test(discovery) }
}
