// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// A running scan of a manager; used on the manager only.
final class ScanConsumer {
    /// The last sighting of a peripheral in the scan.
    final class Known {
        var discovery: Discovery
        var lastSeen: Duration

        init(discovery: Discovery, lastSeen: Duration) {
            self.discovery = discovery
            self.lastSeen = lastSeen
        }

        var loss: Discovery {
            var loss = discovery
            loss.kind = .lost
            return loss
        }
    }

    let id: UInt64
    let services: Set<BluetoothUUID>
    let options: ScanOptions
    let box: ScanRun.Box
    var timeout: DeadlineToken?
    var lossCheck: DeadlineToken?
    /// The peripherals that were sighted and are not lost.
    private var known: OrderedTable<PeerIdentifier, Known> = [:]
    /// A Boolean value that is true if this scan asks for the sighting that is being delivered.
    var isConcerned = false
    /// A Boolean value that is true if at least one peripheral was sighted.
    var hasSighted = false

    init(id: UInt64, services: Set<BluetoothUUID>, options: ScanOptions, box: ScanRun.Box) {
        self.id = id
        self.services = services
        self.options = options
        self.box = box
    }

    /// Returns a Boolean value that is true if a peripheral was sighted and is not lost.
    func isKnown(_ id: PeerIdentifier) -> Bool { known[id] != nil }

    /// Returns a Boolean value that is true if this scan asks for a sighting. The backend may deliver other sightings.
    func accepts(_ sighting: Sighting) -> Bool {
        options.accepts(sighting) && (services.isEmpty || advertisesService(sighting.advertisements))
    }

    /// Records a sighting, and returns the discovery to report; nil if this scan does not report it.
    func record(_ sighting: Sighting, of peripheral: Peripheral, at elapsed: Duration, date: Timestamp) -> Discovery? {
        hasSighted = true
        var discovery = Discovery(
            kind: .discovered, peripheral: peripheral, advertisements: sighting.advertisements, rssi: sighting.rssi,
            date: date, hasRandomAddress: sighting.hasRandomAddress)
        guard let known = known[sighting.peripheral] else {
            known[sighting.peripheral] = Known(discovery: discovery, lastSeen: elapsed)
            return discovery
        }
        discovery.kind = .updated
        let isNews = options.reportsEach || known.discovery.advertisements != sighting.advertisements
        known.discovery = discovery
        known.lastSeen = elapsed
        return isNews ? discovery : nil
    }

    /// Sets the last sighting of all known peripherals to the present time.
    func sightedAll(at elapsed: Duration) { known.forEachValue { $0.lastSeen = elapsed } }

    /// Removes the peripherals that were not sighted for the time of the options, and returns their losses.
    func takeLost(at elapsed: Duration) -> [Discovery] {
        guard let lostAfter = options.lostAfter else { return [] }
        let lost = known.filter { $0.value.lastSeen + lostAfter <= elapsed }
        for id in lost.keys { known[id] = nil }
        return lost.values.sorted { $0.lastSeen < $1.lastSeen }.map(\.loss)
    }

    /// Removes a peripheral.
    ///
    /// - Returns: The loss of the peripheral, if it was known and this scan reports losses.
    func takeLost(_ id: PeerIdentifier) -> Discovery? {
        guard let known = known.removeValue(forKey: id), options.lostAfter != nil else { return nil }
        return known.loss
    }

    /// The time at which the next peripheral is lost, unless it is sighted before; nil if there is none.
    var nextLoss: Duration? {
        guard let lostAfter = options.lostAfter, let oldest = known.values.map(\.lastSeen).min() else { return nil }
        return oldest + lostAfter
    }

    private func advertisesService(_ advertisements: PeripheralAdvertisements) -> Bool {
        advertisements.serviceUUIDs.contains(where: services.contains)
            || advertisements.overflowServiceUUIDs.contains(where: services.contains)
            || advertisements.serviceData.keys.contains(where: services.contains)
    }
}

extension ScanOptions {
    /// Returns a Boolean value that is true if a sighting passes the options.
    fileprivate func accepts(_ sighting: Sighting) -> Bool {
        if let minimumRSSI, let rssi = sighting.rssi, rssi < minimumRSSI { return false }
        if let namePrefix {
            let name = sighting.advertisements.localName ?? sighting.name ?? ""
            if !name.hasPrefix(namePrefix) { return false }
        }
        if let addressPrefix, !sighting.peripheral.text.hasPrefix(addressPrefix.uppercased()) { return false }
        return true
    }
}
