// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The beacons that are heard, of a region or all.
struct RangedBeacons {
    private struct Key: Hashable {
        var family: Beacon.Family
        var uuid: BluetoothUUID
        var major: UInt16
        var minor: UInt16

        init(_ frame: RangedFrame) {
            (family, uuid, major, minor) = (frame.family, frame.uuid, frame.major, frame.minor)
        }
    }
    private struct Entry {
        var beacon: Beacon
        var filter: RSSIFilter
    }
    private var entries: [Key: Entry] = [:]
    /// Whether one went since the list was last taken.
    private(set) var hasLost = false

    /// Takes what was heard into account; false when it concerns no beacon of the region, which is any where it is nil.
    mutating func apply(_ event: BeaconScan.Event, region: BeaconRegion?) -> Bool {
        guard case .sighted(let discovery) = event else {
            hasLost = !entries.isEmpty
            entries = [:]
            return hasLost
        }
        let frames = RangedFrame.frames(in: discovery.advertisements, of: region)
        // Each is taken in, also behind one that is news.
        return frames.reduce(false) { apply($1, discovery) || $0 }
    }

    private mutating func apply(_ frame: RangedFrame, _ discovery: Discovery) -> Bool {
        let key = Key(frame)
        if discovery.kind == .lost {
            // An older address of a beacon that has changed it is lost, not the beacon.
            guard entries[key]?.beacon.peripheral == discovery.peripheral.identifier else { return false }
            entries[key] = nil
            hasLost = true
            return true
        }
        var filter = entries[key]?.filter ?? RSSIFilter()
        if let rssi = discovery.rssi { filter.add(rssi) }
        let beacon = Beacon(
            family: frame.family, proximityUUID: frame.uuid, major: frame.major, minor: frame.minor,
            measuredPower: frame.measuredPower, peripheral: discovery.peripheral.identifier,
            discoveredAt: entries[key]?.beacon.discoveredAt ?? discovery.date, date: discovery.date, rssi: filter.value)
        entries[key] = Entry(beacon: beacon, filter: filter)
        return true
    }

    /// The beacons, nearest first; those without a signal strength last.
    mutating func take() -> [Beacon] {
        hasLost = false
        return entries.values.map(\.beacon).sorted { left, right in
            let (first, second) = (left.accuracy ?? .infinity, right.accuracy ?? .infinity)
            if first != second { return first < second }
            if left.proximityUUID != right.proximityUUID { return left.proximityUUID < right.proximityUUID }
            return (left.major, left.minor) < (right.major, right.minor)
        }
    }
}
