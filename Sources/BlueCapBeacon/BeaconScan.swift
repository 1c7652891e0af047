// SPDX-License-Identifier: MIT

import BlueCapCore

/// A scan that goes on after the radio was off.
final class BeaconScan {
    enum Event {
        /// The radio is on: a scan begins.
        case began
        case sighted(Discovery)
        case radioOff
    }

    private let central: CentralManager
    private let options: ScanOptions
    private var iterator: Scan.Iterator?

    init(central: CentralManager, options: ScanOptions) {
        self.central = central
        self.options = options
    }

    /// What happens next; nil when nothing more will, and for a cancelled task.
    func next() async -> Event? {
        do {
            // A copy shares its scan with the original.
            if var iterator { return try await iterator.next().map { .sighted($0) } }
            try await central.whenPoweredOn()
            iterator = central.scan(options: options).makeAsyncIterator()
            return .began
        } catch {
            let wasScanning = iterator != nil
            iterator = nil
            return wasScanning && isRadioOff(error) && !Task.isCancelled ? .radioOff : nil
        }
    }

    /// Whether a scan ended because the radio went off: plainly, or with what the platform says of it.
    private func isRadioOff(_ error: CentralManagerError) -> Bool {
        switch error {
        case .poweredOff: true
        case .backend: !central.isPoweredOn
        default: false
        }
    }
}

/// The beacons of a region that are heard.
struct RangedBeacons {
    private struct Key: Hashable {
        var major: UInt16
        var minor: UInt16
    }
    private struct Entry {
        var beacon: Beacon
        var filter: RSSIFilter
    }
    private var entries: [Key: Entry] = [:]
    /// Whether one went since the list was last taken.
    private(set) var hasLost = false

    /// Takes what was heard into account; false when it concerns no beacon of the region.
    mutating func apply(_ event: BeaconScan.Event, region: BeaconRegion) -> Bool {
        guard case .sighted(let discovery) = event else {
            hasLost = !entries.isEmpty
            entries = [:]
            return hasLost
        }
        guard let frame = IBeacon(discovery.advertisements), region.contains(frame) else { return false }
        let key = Key(major: frame.major, minor: frame.minor)
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
            proximityUUID: frame.proximityUUID, major: frame.major, minor: frame.minor,
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
            return first != second ? first < second : (left.major, left.minor) < (right.major, right.minor)
        }
    }
}
