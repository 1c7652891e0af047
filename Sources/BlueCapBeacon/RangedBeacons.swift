// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The beacons that are heard, of a region or of all families.
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
        var heardAt: Duration
    }
    /// The time that a beacon is kept without being heard.
    static let patience = Duration.seconds(10)
    /// The number of beacons that are kept; a device can send another number with each frame.
    static let capacity = 1024

    /// The beacons, the longest unheard first.
    private var entries = RecencyTable<Key, Entry>()
    /// The beacons by the devices that send them.
    private var keys: [PeerIdentifier: Set<Key>] = [:]
    /// Whether a beacon was lost since the list was last taken.
    private(set) var hasLost = false
    /// The number of entries that were put, removed or looked at: a packet must not cost more of them if there are more
    /// beacons.
    private(set) var stepCount = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Takes an advertisement into account; false if it concerns no beacon of the region, or of any family without a
    /// region, and no beacon is lost meanwhile.
    mutating func hear(
        _ advertisements: PeripheralAdvertisements, from peripheral: PeerIdentifier, rssi: Int?, date: Timestamp,
        region: BeaconRegion?, at now: Duration
    ) -> Bool {
        var isNews = dropOld(at: now)
        for frame in RangedFrame.frames(in: advertisements, of: region) {
            put(frame, from: peripheral, rssi: rssi, date: date, at: now)
            isNews = true
        }
        return isNews
    }

    /// A device is lost; false if no beacon is lost with it. When a beacon has changed its address, the device with the
    /// older address is lost, and the beacon is not.
    mutating func lose(_ peripheral: PeerIdentifier, at now: Duration) -> Bool {
        let hadOld = dropOld(at: now)
        let lost = keys[peripheral] ?? []
        for key in lost { drop(key) }
        return hadOld || !lost.isEmpty
    }

    /// All beacons are lost; false if there were none.
    mutating func loseAll() -> Bool {
        hasLost = !entries.isEmpty
        entries = RecencyTable()
        keys = [:]
        return hasLost
    }

    /// Drops beacons that were not heard for too long; false if there are none.
    private mutating func dropOld(at now: Duration) -> Bool {
        var isNews = false
        while let (key, entry) = entries.oldest, now - entry.heardAt >= Self.patience {
            drop(key)
            isNews = true
        }
        return isNews
    }

    private mutating func drop(_ key: Key) {
        remove(key)
        hasLost = true
    }

    @discardableResult
    private mutating func remove(_ key: Key) -> Entry? {
        stepCount += 1
        guard let entry = entries.remove(key) else { return nil }
        let peripheral = entry.beacon.peripheral
        keys[peripheral]?.remove(key)
        if keys[peripheral]?.isEmpty == true { keys[peripheral] = nil }
        return entry
    }

    private mutating func put(
        _ frame: RangedFrame, from peripheral: PeerIdentifier, rssi: Int?, date: Timestamp, at now: Duration
    ) {
        let key = Key(frame)
        let known = remove(key)
        if entries.count >= Self.capacity, let oldest = entries.oldest?.key { remove(oldest) }
        var filter = known?.filter ?? RSSIFilter()
        if let rssi { filter.add(rssi) }
        let beacon = Beacon(
            family: frame.family, proximityUUID: frame.uuid, major: frame.major, minor: frame.minor,
            measuredPower: frame.measuredPower, peripheral: peripheral,
            discoveredAt: known?.beacon.discoveredAt ?? date, date: date, rssi: filter.value)
        entries.put(Entry(beacon: beacon, filter: filter, heardAt: now), for: key)
        keys[peripheral, default: []].insert(key)
        stepCount += 1
    }

    /// Returns the beacons, nearest first; those without a signal strength last.
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
