import BlueCapSerDe

/// One running scan of a manager.
struct ScanConsumer {
    /// What is remembered of a peripheral that the scan has sighted.
    struct Known {
        var discovery: Discovery
        var lastSeen: Duration

        var loss: Discovery {
            var loss = discovery
            loss.kind = .lost
            return loss
        }
    }

    let services: Set<BluetoothUUID>
    let options: ScanOptions
    let box: ScanRun.Box
    var timeout: CentralManager.Deadlines.Token?
    var lossCheck: CentralManager.Deadlines.Token?
    /// What was sighted and is not lost.
    var known: OrderedTable<PeripheralIdentifier, Known> = [:]
    /// Whether anything was sighted at all.
    var hasSighted = false

    /// Whether a sighting is one that this scan asks for. The backend may deliver more.
    func accepts(_ sighting: Sighting) -> Bool {
        options.accepts(sighting) && (services.isEmpty || advertisesService(sighting.advertisements))
    }

    /// What the sighting is to this scan; nil for one that it does not report.
    mutating func note(_ sighting: Sighting, of peripheral: Peripheral, at elapsed: Duration, date: Timestamp)
        -> Discovery?
    {
        hasSighted = true
        let previous = known[sighting.peripheral]
        let discovery = Discovery(
            kind: previous == nil ? .discovered : .updated, peripheral: peripheral,
            advertisements: sighting.advertisements, rssi: sighting.rssi, date: date)
        known[sighting.peripheral] = Known(discovery: discovery, lastSeen: elapsed)
        let isNews = options.allowsDuplicates || previous?.discovery.advertisements != sighting.advertisements
        return isNews ? discovery : nil
    }

    /// Takes out what was not sighted for long enough.
    mutating func takeLost(at elapsed: Duration) -> [Discovery] {
        guard let lostAfter = options.lostAfter else { return [] }
        let lost = known.filter { $0.value.lastSeen + lostAfter <= elapsed }
        for id in lost.keys { known[id] = nil }
        return lost.values.sorted { $0.lastSeen < $1.lastSeen }.map(\.loss)
    }

    /// Takes out one peripheral.
    ///
    /// - Returns: Its loss, if it was known and this scan reports losses.
    mutating func takeLost(_ id: PeripheralIdentifier) -> Discovery? {
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
