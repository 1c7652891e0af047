// SPDX-License-Identifier: MIT

public import BlueCapBeacon
import BlueCapSerDe

#if canImport(FoundationEssentials)
public import FoundationEssentials
#elseif canImport(Foundation)
public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
extension BeaconRegion {
    /// A region of all beacons with a UUID, or of those with a major and a minor number, too.
    ///
    /// - Parameters:
    ///   - uuid: The proximity UUID of the beacons.
    ///   - identifier: The app's name for the region.
    ///   - major: The group of beacons; nil for all groups.
    ///   - minor: The number in the group; nil for all, and ignored without a group.
    public init(uuid: UUID, identifier: String, major: UInt16? = nil, minor: UInt16? = nil) {
        let proximityUUID = BluetoothUUID(uuid)
        switch (major, minor) {
        case (let major?, let minor?):
            self.init(proximityUUID: proximityUUID, identifier: identifier, major: major, minor: minor)
        case (let major?, nil): self.init(proximityUUID: proximityUUID, identifier: identifier, major: major)
        case (nil, _): self.init(proximityUUID: proximityUUID, identifier: identifier)
        }
    }
}
#endif
