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
        /// When it was heard last, on the clock.
        var heardAt: Duration
    }
    /// How long a beacon is kept that is not heard.
    static let patience = Duration.seconds(10)
    /// How many are kept; a device can send another number with each frame.
    static let capacity = 1024

    private var entries: [Key: Entry] = [:]
    /// Whether one went since the list was last taken.
    private(set) var hasLost = false

    /// Takes what was heard into account; false when it concerns no beacon of the region, which is any where it is nil.
    mutating func apply(_ event: BeaconScan.Event, region: BeaconRegion?, at now: Duration) -> Bool {
        guard case .sighted(let discovery) = event else {
            hasLost = !entries.isEmpty
            entries = [:]
            return hasLost
        }
        var isNews = drop { now - $0.heardAt >= Self.patience }
        if discovery.kind == .lost {
            // An older address of a beacon that has changed it is lost, not the beacon.
            return drop { $0.beacon.peripheral == discovery.peripheral.identifier } || isNews
        }
        for frame in RangedFrame.frames(in: discovery.advertisements, of: region) {
            apply(frame, discovery, now)
            isNews = true
        }
        return isNews
    }

    private mutating func drop(_ isGone: (Entry) -> Bool) -> Bool {
        let count = entries.count
        entries = entries.filter { !isGone($0.value) }
        if entries.count < count { hasLost = true }
        return entries.count < count
    }

    private mutating func apply(_ frame: RangedFrame, _ discovery: Discovery, _ now: Duration) {
        let key = Key(frame)
        if entries[key] == nil, entries.count >= Self.capacity,
            let oldest = entries.min(by: { $0.value.heardAt < $1.value.heardAt })?.key
        {
            entries[oldest] = nil
        }
        var filter = entries[key]?.filter ?? RSSIFilter()
        if let rssi = discovery.rssi { filter.add(rssi) }
        let beacon = Beacon(
            family: frame.family, proximityUUID: frame.uuid, major: frame.major, minor: frame.minor,
            measuredPower: frame.measuredPower, peripheral: discovery.peripheral.identifier,
            discoveredAt: entries[key]?.beacon.discoveredAt ?? discovery.date, date: discovery.date, rssi: filter.value)
        entries[key] = Entry(beacon: beacon, filter: filter, heardAt: now)
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
