// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// One running scan of a manager; touched on the manager only.
final class ScanConsumer {
    /// What is remembered of a peripheral that the scan has sighted.
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
    var timeout: CentralManager.Deadlines.Token?
    var lossCheck: CentralManager.Deadlines.Token?
    /// What was sighted and is not lost.
    var known: OrderedTable<PeerIdentifier, Known> = [:]
    /// Whether the sighting that is being delivered is one that this scan asks for.
    var isConcerned = false
    /// Whether anything was sighted at all.
    var hasSighted = false

    init(id: UInt64, services: Set<BluetoothUUID>, options: ScanOptions, box: ScanRun.Box) {
        self.id = id
        self.services = services
        self.options = options
        self.box = box
    }

    /// Whether a sighting is one that this scan asks for. The backend may deliver more.
    func accepts(_ sighting: Sighting) -> Bool {
        options.accepts(sighting) && (services.isEmpty || advertisesService(sighting.advertisements))
    }

    /// What the sighting is to this scan; nil for one that it does not report.
    func note(_ sighting: Sighting, of peripheral: Peripheral, at elapsed: Duration, date: Timestamp) -> Discovery? {
        hasSighted = true
        var discovery = Discovery(
            kind: .discovered, peripheral: peripheral, advertisements: sighting.advertisements, rssi: sighting.rssi,
            date: date)
        guard let known = known[sighting.peripheral] else {
            known[sighting.peripheral] = Known(discovery: discovery, lastSeen: elapsed)
            return discovery
        }
        discovery.kind = .updated
        let isNews = options.allowsDuplicates || known.discovery.advertisements != sighting.advertisements
        known.discovery = discovery
        known.lastSeen = elapsed
        return isNews ? discovery : nil
    }

    /// Takes everything that is known as sighted now.
    func sightedAll(at elapsed: Duration) {
        known.forEachValue { $0.lastSeen = elapsed }
    }

    /// Takes out what was not sighted for long enough.
    func takeLost(at elapsed: Duration) -> [Discovery] {
        guard let lostAfter = options.lostAfter else { return [] }
        let lost = known.filter { $0.value.lastSeen + lostAfter <= elapsed }
        for id in lost.keys { known[id] = nil }
        return lost.values.sorted { $0.lastSeen < $1.lastSeen }.map(\.loss)
    }

    /// Takes out one peripheral.
    ///
    /// - Returns: Its loss, if it was known and this scan reports losses.
    func takeLost(_ id: PeerIdentifier) -> Discovery? {
        guard let known = known.removeValue(forKey: id), options.lostAfter != nil else { return nil }
        return known.loss
    }

    /// When the next peripheral is lost, unless it is sighted before.
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
