// SPDX-License-Identifier: MIT

public import BlueCapCore

/// Anything that advertises and passes a test, as a region that is entered and left: the devices that one's own program
/// knows, a kind of sensor, a phone.
///
/// It is monitored as a ``BeaconRegion`` is, by the same rules of entry and exit.
public struct DiscoveryRegion: Sendable, Identifiable {
    /// The program's own name for the region.
    public let identifier: String
    /// How long a region counts as left after the last device of it was heard.
    public var exitDelay: Duration
    /// Devices weaker than this, in dBm, do not count as an entry; what was entered is left only when nothing is heard.
    public var entryRSSI: Int?
    private let test: @Sendable (Discovery) -> Bool

    /// Creates a region of what passes a test.
    ///
    /// - Parameters:
    ///   - identifier: The program's own name for the region.
    ///   - entryRSSI: The signal strength in dBm from which a device counts as an entry; nil for any.
    ///   - exitDelay: How long the region counts as left after the last device of it was heard.
    ///   - test: Returns whether what was sighted is of the region. It is called for each advertisement, on the
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

    /// Creates the region of the iBeacons of another one.
    ///
    /// - Parameter region: The iBeacons that are meant, with the rules of entry and exit.
    public init(_ region: BeaconRegion) {
        self.init(region.identifier, entryRSSI: region.entryRSSI, exitDelay: region.exitDelay) { discovery in
            IBeacon(discovery.advertisements).map(region.contains) ?? false
        }
    }

    /// The same as ``identifier``.
    public var id: String { identifier }

    /// Whether what was sighted is of the region.
    public func contains(_ discovery: Discovery) -> Bool { test(discovery) }
}
