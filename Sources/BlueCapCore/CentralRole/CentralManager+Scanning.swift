// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

extension CentralManager {
    /// A scan for peripherals that advertise one of the services, or for all.
    ///
    /// It starts when the loop over it starts and ends when the loop is left; see ``Scan``. Any number of scans with
    /// different filters run side by side on one radio.
    ///
    /// - Parameters:
    ///   - services: The services of which a peripheral has to advertise one, in its service lists or service data;
    ///     empty for all peripherals.
    ///   - options: The further filters of sightings, and how repeated sightings are reported.
    ///   - timeout: How long the scan runs, from its first `next`; nil until the loop is left.
    ///   - capacity: How many sightings of different peripherals are kept for a slow loop.
    public nonisolated func scan(
        for services: [BluetoothUUID] = [], options: ScanOptions = ScanOptions(), timeout: Duration? = nil,
        capacity: StreamCapacity = .newest(4096)
    ) -> Scan {
        Scan(manager: self, services: Set(services), options: options, timeout: timeout, capacity: capacity)
    }

    /// The first sighting of a scan; the scan ends with it.
    ///
    /// - Parameters:
    ///   - services: The services of which the peripheral has to advertise one; empty for any peripheral.
    ///   - options: The further conditions that a sighting has to fulfil.
    ///   - timeout: How long to scan, from the call; nil until a sighting comes.
    /// - Throws: `.serviceScanTimeout` when the timeout passes first, `.cancelled`, and the errors of a ``Scan``.
    public nonisolated func firstDiscovery(
        for services: [BluetoothUUID] = [], options: ScanOptions = ScanOptions(), timeout: Duration? = nil
    ) async throws(CentralManagerError) -> Discovery {
        var sightings = scan(for: services, options: options, timeout: timeout).makeAsyncIterator()
        guard let discovery = try await sightings.next() else {
            throw Task.isCancelled ? .cancelled : .serviceScanTimeout
        }
        return discovery
    }

    // MARK: Consumers

    func startScan(_ scan: Scan, into box: ScanRun.Box) throws(CentralManagerError) -> UInt64 {
        if isInvalidated { throw .invalidated }
        if case .failure(let hopeless)? = radio.decision(self) { throw hopeless }
        if state != .poweredOn { throw CentralManagerError(radio.reason) }
        let id = makeNumber()
        let consumer = ScanConsumer(id: id, services: scan.services, options: scan.options, box: box)
        consumer.timeout = scan.timeout.map { timeout in after(timeout) { $0.scanTimedOut(id) } }
        scans[id] = consumer
        updateScan()
        return id
    }

    func endScan(_ id: UInt64, _ failure: CentralManagerError? = nil) {
        guard let consumer = scans.removeValue(forKey: id) else { return }
        // The state first: whoever waits for the end may look at it.
        updateScan()
        release(consumer, failure)
    }

    /// Ends all scans because the radio, or the manager, is gone.
    func endScans(_ failure: CentralManagerError) {
        let ended = scans.values
        scans = [:]
        scanRequest = nil
        facts.withLock { $0.isScanning = false }
        wantedChanged()
        for consumer in ended { release(consumer, failure) }
    }

    func scanFailed(_ failure: OperationFailure) {
        endScans(CentralManagerError(failure))
    }

    private func release(_ consumer: ScanConsumer, _ failure: CentralManagerError?) {
        if let timeout = consumer.timeout { cancelDeadline(timeout) }
        if let lossCheck = consumer.lossCheck { cancelDeadline(lossCheck) }
        consumer.box.finish(failure)
    }

    private func scanTimedOut(_ id: UInt64) {
        guard let consumer = scans[id] else { return }
        endScan(id, consumer.hasSighted ? nil : .serviceScanTimeout)
    }

    /// Sends the backend the merged request of all scans, if it changed.
    private func updateScan() {
        wantedChanged()
        let request = mergedRequest()
        if request == scanRequest { return }
        scanRequest = request
        facts.withLock { $0.isScanning = request != nil }
        backend.onExecutor { $0.scan(request) }
    }

    private func mergedRequest() -> ScanRequest? {
        if scans.isEmpty { return nil }
        let seeksAll = scans.values.contains { $0.services.isEmpty }
        // Losses can only be recognised by repeated sightings.
        let needsDuplicates = scans.values.contains { $0.options.allowsDuplicates || $0.options.lostAfter != nil }
        let services = seeksAll ? [] : scans.values.reduce(into: Set()) { $0.formUnion($1.services) }
        return ScanRequest(services: services, allowsDuplicates: needsDuplicates)
    }

    // MARK: Sightings

    func sighted(_ sighting: Sighting) {
        meter.sighted()
        var isOfInterest = false
        let scans = scans
        scans.forEachValue { scan in
            scan.isConcerned = scan.accepts(sighting)
            if scan.isConcerned { isOfInterest = true }
        }
        let id = sighting.peripheral
        guard let record = isOfInterest ? record(for: id) : records[id] else { return }
        let elapsed = clock.elapsed
        let date = clock.date
        record.lastSighting = (elapsed, sighting.rssi)
        record.peripheral.facts.withLock { facts in
            facts.advertisements = sighting.advertisements
            let name = sighting.advertisements.localName ?? sighting.name
            if let name = name?.asDeviceName { facts.name = name }
            if let rssi = sighting.rssi { facts.rssi = rssi }
            if let isBonded = sighting.isBonded { facts.isBonded = isBonded }
        }
        if !isOfInterest { return }
        var reported: Discovery?
        scans.forEachValue { scan in
            guard scan.isConcerned else { return }
            let discovery = scan.note(sighting, of: record.peripheral, at: elapsed, date: date)
            if scan.lossCheck == nil { scheduleLossCheck(of: scan) }
            guard let discovery else { return }
            push(discovery, to: scan)
            if reported?.kind != .discovered { reported = discovery }
        }
        if let reported { push(reported) }
    }

    /// The platform reports each peripheral once from now on, or as often as it is heard again. In the second case the
    /// known peripherals count as sighted now, since their absence could not be seen until now.
    func sightingsCoalesced(_ isOn: Bool) {
        areSightingsCoalesced = isOn
        for scan in scans.values {
            if let lossCheck = scan.lossCheck { cancelDeadline(lossCheck) }
            scan.lossCheck = nil
            if isOn { continue }
            scan.sightedAll(at: clock.elapsed)
            scheduleLossCheck(of: scan)
        }
    }

    /// One deadline a scan stands for the peripheral that would be lost first; sightings since then only move it on.
    private func scheduleLossCheck(of scan: ScanConsumer) {
        guard !areSightingsCoalesced, let next = scan.nextLoss else {
            scan.lossCheck = nil
            return
        }
        let id = scan.id
        scan.lossCheck = after(next - clock.elapsed) { manager in
            guard let scan = manager.scans[id] else { return }
            for discovery in scan.takeLost(at: manager.clock.elapsed) {
                manager.push(discovery, to: scan)
                manager.reportLost(discovery)
            }
            manager.scheduleLossCheck(of: scan)
        }
    }

    /// Over all scans a peripheral is lost when the last of them has lost it.
    private func reportLost(_ discovery: Discovery) {
        let id = discovery.peripheral.identifier
        if !scans.values.contains(where: { $0.known[id] != nil }) { push(discovery) }
    }

    /// Hands a sighting to one scan.
    private func push(_ discovery: Discovery, to scan: ScanConsumer) {
        meter.dropped(.sighting, scan.box.push(discovery))
    }

    /// Hands a sighting to the streams over all scans.
    private func push(_ discovery: Discovery) { meter.dropped(.sighting, discoveryCaster.push(discovery)) }

    /// The manager forgets a peripheral: the scans do too, and treat its next sighting as its first.
    func forgetInScans(_ id: PeerIdentifier, reportsLoss: Bool) {
        var lost: Discovery?
        for scan in scans.values {
            guard let discovery = scan.takeLost(id), reportsLoss else { continue }
            push(discovery, to: scan)
            lost = discovery
        }
        if let lost { reportLost(lost) }
    }
}
