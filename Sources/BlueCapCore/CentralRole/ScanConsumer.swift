// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// A running scan of a manager; used on the manager only.
final class ScanConsumer {
    /// The last sighting of a peripheral in the scan.
    final class Known {
        var discovery: Discovery
        var lastSeen: Duration
        /// Since when its signal is weaker than the low threshold; nil if it is not.
        var weakSince: Duration?

        init(discovery: Discovery, lastSeen: Duration) {
            self.discovery = discovery
            self.lastSeen = lastSeen
        }

        /// When it was there and near for the last time.
        var presentAt: Duration { weakSince ?? lastSeen }

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
    /// Whether the platform says which sightings match the patterns of the scan, and by their strength.
    private let isMatchedByPlatform: Bool
    /// The signal thresholds that are compared here; nil for none.
    private let signal: SignalThresholds?
    private var strong = StrongSignals()
    var timeout: DeadlineToken?
    var lossCheck: DeadlineToken?
    /// The peripherals that were sighted and are not lost.
    private var known: OrderedTable<PeerIdentifier, Known> = [:]
    /// A Boolean value that is true if this scan asks for the sighting that is being delivered.
    var isConcerned = false
    /// A Boolean value that is true if at least one peripheral was sighted.
    var hasSighted = false

    init(
        id: UInt64, services: Set<BluetoothUUID>, options: ScanOptions, box: ScanRun.Box, isMatchedByPlatform: Bool
    ) {
        self.id = id
        self.services = services
        self.options = options
        self.box = box
        self.isMatchedByPlatform = isMatchedByPlatform
        signal = isMatchedByPlatform ? nil : options.mode.signal
    }

    /// Whether a peripheral that is gone is reported.
    var reportsLosses: Bool { options.lostAfter != nil || options.mode.signal != nil }

    /// The time without a sighting, or with weak ones alone, after which a peripheral is lost; nil where that is not
    /// for the manager to find out.
    private var patience: Duration? { options.mode.signal == nil ? options.lostAfter : signal?.lowTime }

    /// Returns a Boolean value that is true if a peripheral was sighted and is not lost.
    func isKnown(_ id: PeerIdentifier) -> Bool { known[id] != nil }

    /// Returns a Boolean value that is true if this scan asks for a sighting. The backend may deliver other sightings.
    ///
    /// - Parameter mode: The mode for which the platform says that the sighting matches; nil where it does not compare.
    func accepts(_ sighting: Sighting, matching mode: ScanMode?) -> Bool {
        guard mode == (isMatchedByPlatform ? options.mode : nil) else { return false }
        guard options.accepts(sighting), services.isEmpty || advertisesService(sighting.advertisements) else {
            return false
        }
        if !isMatchedByPlatform, case .passive(let patterns, _) = options.mode {
            return patterns.match(sighting.advertisements)
        }
        return true
    }

    /// Records a sighting, and returns the discovery to report; nil if this scan does not report it.
    func record(_ sighting: Sighting, of peripheral: Peripheral, at elapsed: Duration, date: Timestamp) -> Discovery? {
        if let signal, known[sighting.peripheral] == nil, !strong.isFound(sighting, by: signal, at: elapsed) {
            return nil
        }
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
        if let signal, let rssi = sighting.rssi {
            known.weakSince = rssi < signal.low ? known.weakSince ?? elapsed : nil
        }
        return isNews ? discovery : nil
    }

    /// Sets the last sighting of all known peripherals to the present time.
    func sightedAll(at elapsed: Duration) {
        known.forEachValue { ($0.lastSeen, $0.weakSince) = (elapsed, nil) }
    }

    /// Removes the peripherals that were not sighted for the time of the options, and returns their losses.
    func takeLost(at elapsed: Duration) -> [Discovery] {
        guard let patience else { return [] }
        let lost = known.filter { $0.value.presentAt + patience <= elapsed }
        for id in lost.keys { known[id] = nil }
        return lost.values.sorted { $0.lastSeen < $1.lastSeen }.map(\.loss)
    }

    /// Removes a peripheral.
    ///
    /// - Returns: The loss of the peripheral, if it was known and this scan reports losses.
    func takeLost(_ id: PeerIdentifier) -> Discovery? {
        guard let known = known.removeValue(forKey: id), reportsLosses else { return nil }
        return known.loss
    }

    /// The time at which the next peripheral is lost, unless it is sighted before; nil if there is none.
    var nextLoss: Duration? {
        guard let patience, let oldest = known.values.map(\.presentAt).min() else { return nil }
        return oldest + patience
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
