// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A family of iBeacons, a group of it, or one of them: the beacons to look for, or the beacon to advertise.
public struct BeaconRegion: Sendable, Hashable, Identifiable {
    /// The program's own name for the region.
    public let identifier: String
    /// The UUID that all beacons of the family share.
    public let proximityUUID: BluetoothUUID
    /// The number of the group; nil for all groups.
    public let major: UInt16?
    /// The number of the beacon in its group; nil for all beacons.
    public let minor: UInt16?
    /// The time after the last beacon was heard until the region counts as left.
    public var exitDelay: Duration = .seconds(30)
    /// The weakest signal strength in dBm that counts as an entry; nil for any. An entered region is left only when no
    /// beacon is heard at all.
    public var entryRSSI: Int?

    /// Creates a region of all beacons of a family.
    ///
    /// - Parameters:
    ///   - proximityUUID: The UUID of the family.
    ///   - identifier: The program's own name for the region.
    public init(proximityUUID: BluetoothUUID, identifier: String) {
        self.init(proximityUUID, identifier, nil, nil)
    }

    /// Creates a region of the beacons of a group.
    ///
    /// - Parameters:
    ///   - proximityUUID: The UUID of the family.
    ///   - identifier: The program's own name for the region.
    ///   - major: The number of the group.
    public init(proximityUUID: BluetoothUUID, identifier: String, major: UInt16) {
        self.init(proximityUUID, identifier, major, nil)
    }

    /// Creates a region of one beacon.
    ///
    /// - Parameters:
    ///   - proximityUUID: The UUID of the family.
    ///   - identifier: The program's own name for the region.
    ///   - major: The number of the group.
    ///   - minor: The number of the beacon in its group.
    public init(proximityUUID: BluetoothUUID, identifier: String, major: UInt16, minor: UInt16) {
        self.init(proximityUUID, identifier, major, minor)
    }

    private init(_ proximityUUID: BluetoothUUID, _ identifier: String, _ major: UInt16?, _ minor: UInt16?) {
        self.proximityUUID = proximityUUID
        self.identifier = identifier
        self.major = major
        self.minor = minor
    }

    /// The same as ``identifier``.
    public var id: String { identifier }

    /// Returns whether a frame belongs to the region.
    public func contains(_ frame: IBeacon) -> Bool {
        frame.proximityUUID == proximityUUID && major.map { $0 == frame.major } ?? true
            && minor.map { $0 == frame.minor } ?? true
    }

    /// The default signal strength at a distance of one metre, in dBm.
    public static let defaultMeasuredPower: Int8 = -59

    /// Returns the advertisement of a beacon of this region; a group or number that the region does not define is 0.
    ///
    /// - Parameter measuredPower: The signal strength at a distance of one metre in dBm, to be measured once for each
    ///   device.
    public func advertisement(measuredPower: Int8 = BeaconRegion.defaultMeasuredPower) -> Advertisement {
        IBeacon(proximityUUID: proximityUUID, major: major ?? 0, minor: minor ?? 0, measuredPower: measuredPower)
            .advertisement
    }
}

extension PeripheralManager {
    /// Advertises as an iBeacon of a region; no service is needed, and no central can connect.
    ///
    /// - Parameters:
    ///   - region: The region to advertise. A major or minor number that the region does not define is sent as 0.
    ///   - measuredPower: The signal strength at a distance of one metre in dBm, to be measured once for each device.
    ///   - timeout: The longest time that the platform may take; nil for any time.
    /// - Throws: As `startAdvertising(_:timeout:)` of an advertisement does.
    public func startAdvertising(
        _ region: BeaconRegion, measuredPower: Int8 = BeaconRegion.defaultMeasuredPower, timeout: Duration? = nil
    ) async throws(PeripheralManagerError) {
        try await startAdvertising(region.advertisement(measuredPower: measuredPower), timeout: timeout)
    }
}
