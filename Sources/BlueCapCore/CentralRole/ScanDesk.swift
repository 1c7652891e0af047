// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The running scans of a manager, which the radio serves by one merged request.
///
/// Touched on the manager only.
final class ScanDesk {
    private let published: PublishedCentralState
    private var consumers: OrderedTable<UInt64, ScanConsumer> = [:]
    /// The request that the radio was sent last; nil if it need not scan.
    private var request: ScanRequest?
    /// Whether the platform reports each peripheral once, so that one that is not sighted again is not lost.
    private var areSightingsCoalesced = false
    private var lastID: UInt64 = 0

    init(_ published: PublishedCentralState) { self.published = published }

    var count: Int { consumers.count }

    /// The scans that the next program is to run again.
    var restorable: [CentralRestoration.Scan] {
        consumers.values.filter { $0.timeout == nil }.map {
            CentralRestoration.Scan(services: $0.services.sorted(), options: $0.options)
        }
    }

    // MARK: Begin and end

    /// Adds a scan.
    ///
    /// - Returns: The number of the scan.
    func begin(
        _ services: Set<BluetoothUUID>, _ options: ScanOptions, timeout: Duration?, into box: ScanRun.Box,
        _ owner: isolated some CentralOwner
    ) throws(CentralManagerError) -> UInt64 {
        if owner.isInvalidated { throw .invalidated }
        if let problem = options.mode.problem { throw .invalidScanMode(problem) }
        if case .failure(let hopeless)? = owner.radio.decision(owner) { throw hopeless }
        if owner.state != .poweredOn { throw CentralManagerError(owner.radio.reason) }
        lastID += 1
        let id = lastID
        let consumer = ScanConsumer(
            id: id, services: services, options: options, box: box,
            isMatchedByPlatform: options.mode.isPassive && owner.backend.features.contains(.patternMatching))
        consumer.timeout = timeout.map { timeout in owner.after(timeout) { $0.scans.timedOut(id, $0) } }
        consumers[id] = consumer
        update(owner)
        return id
    }

    /// Ends a scan; does nothing if it has ended.
    func end(_ id: UInt64, with failure: CentralManagerError? = nil, _ owner: isolated some CentralOwner) {
        guard let consumer = consumers.removeValue(forKey: id) else { return }
        // The state first: whoever waits for the end may look at it.
        update(owner)
        release(consumer, failure, owner)
    }

    /// Ends all scans because the radio, or the manager, is gone. The radio is not asked to end them.
    ///
    /// - Returns: Whether the radio had been asked to scan.
    @discardableResult
    func endAll(_ failure: CentralManagerError, _ owner: isolated some CentralOwner) -> Bool {
        let ended = consumers.values
        let wasRequested = request != nil
        consumers = [:]
        request = nil
        published.facts.withLock { $0.isScanning = false }
        owner.restorationChanged()
        for consumer in ended { release(consumer, failure, owner) }
        return wasRequested
    }

    /// The platform does not scan in a mode: the scans that asked for it end, and the others go on.
    func refused(_ mode: ScanMode, _ failure: BackendFailure, _ owner: isolated some CentralOwner) {
        for scan in consumers.values where scan.options.mode == mode {
            end(scan.id, with: .scanModeNotSupported(mode, failure), owner)
        }
    }

    private func release(_ consumer: ScanConsumer, _ failure: CentralManagerError?, _ owner: isolated some CentralOwner)
    {
        if let timeout = consumer.timeout { owner.cancelDeadline(timeout) }
        if let lossCheck = consumer.lossCheck { owner.cancelDeadline(lossCheck) }
        consumer.box.finish(failure)
    }

    private func timedOut(_ id: UInt64, _ owner: isolated some CentralOwner) {
        guard let consumer = consumers[id] else { return }
        end(id, with: consumer.hasSighted ? nil : .serviceScanTimeout, owner)
    }

    /// Sends the backend the merged request of all scans, if it changed.
    private func update(_ owner: isolated some CentralOwner) {
        owner.restorationChanged()
        let merged = mergedRequest()
        if merged == request { return }
        request = merged
        published.facts.withLock { $0.isScanning = merged != nil }
        owner.backend.onExecutor { $0.scan(merged) }
    }

    private func mergedRequest() -> ScanRequest? {
        if consumers.isEmpty { return nil }
        let seeksAll = consumers.values.contains { $0.services.isEmpty }
        // Losses can only be recognised by repeated sightings.
        let needsDuplicates = consumers.values.contains { $0.options.reportsEach || $0.reportsLosses }
        let services = seeksAll ? [] : consumers.values.reduce(into: Set()) { $0.formUnion($1.services) }
        var modes = Set(consumers.values.map(\.options.mode))
        // Whoever hears every packet hears those that the platform would report.
        if modes.contains(.everyPacket) { modes.remove(.active) }
        return ScanRequest(services: services, allowsDuplicates: needsDuplicates, modes: modes)
    }

    // MARK: Sightings

    /// A packet was received; where the platform compares it with the patterns of passive scans, it names the mode.
    func sighted(_ sighting: Sighting, matching mode: ScanMode? = nil, _ owner: isolated some CentralOwner) {
        owner.meter.sighted()
        var isOfInterest = false
        let consumers = consumers
        consumers.forEachValue { scan in
            scan.isConcerned = scan.accepts(sighting, matching: mode)
            if scan.isConcerned { isOfInterest = true }
        }
        let id = sighting.peripheral
        guard let record = isOfInterest ? owner.book.record(for: id, owner) : owner.book.known(id) else { return }
        let elapsed = owner.clock.elapsed
        let date = owner.clock.date
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
        consumers.forEachValue { scan in
            guard scan.isConcerned else { return }
            let discovery = scan.record(sighting, of: record.peripheral, at: elapsed, date: date)
            if scan.lossCheck == nil { scheduleLossCheck(of: scan, owner) }
            guard let discovery else { return }
            push(discovery, to: scan, owner)
            if reported?.kind != .discovered { reported = discovery }
        }
        if let reported { push(reported, owner) }
    }

    /// The platform reports each peripheral once from now on, or as often as it is heard again. In the second case the
    /// known peripherals count as sighted now, since their absence could not be seen until now.
    func sightingsCoalesced(_ isOn: Bool, _ owner: isolated some CentralOwner) {
        areSightingsCoalesced = isOn
        let elapsed = owner.clock.elapsed
        published.facts.withLock { $0.absencesShowSince = isOn ? nil : elapsed }
        for scan in consumers.values {
            if let lossCheck = scan.lossCheck { owner.cancelDeadline(lossCheck) }
            scan.lossCheck = nil
            if isOn { continue }
            scan.sightedAll(at: elapsed)
            scheduleLossCheck(of: scan, owner)
        }
    }

    /// One deadline a scan stands for the peripheral that would be lost first; sightings since then only move it on.
    private func scheduleLossCheck(of scan: ScanConsumer, _ owner: isolated some CentralOwner) {
        guard !areSightingsCoalesced, let next = scan.nextLoss else {
            scan.lossCheck = nil
            return
        }
        let id = scan.id
        scan.lossCheck = owner.after(next - owner.clock.elapsed) { $0.scans.checkLosses(of: id, $0) }
    }

    private func checkLosses(of id: UInt64, _ owner: isolated some CentralOwner) {
        guard let scan = consumers[id] else { return }
        for discovery in scan.takeLost(at: owner.clock.elapsed) {
            push(discovery, to: scan, owner)
            reportLost(discovery, owner)
        }
        scheduleLossCheck(of: scan, owner)
    }

    /// Over all scans a peripheral is lost when the last of them has lost it.
    private func reportLost(_ discovery: Discovery, _ owner: isolated some CentralOwner) {
        let id = discovery.peripheral.identifier
        if !consumers.values.contains(where: { $0.isKnown(id) }) { push(discovery, owner) }
    }

    /// The platform says that a peripheral which the passive scans of a mode have found is lost to them.
    func matchLost(_ id: PeerIdentifier, _ mode: ScanMode, _ owner: isolated some CentralOwner) {
        loseFromScans(id, owner, reportsLoss: true) { $0.options.mode == mode }
    }

    /// Hands a sighting to one scan.
    private func push(_ discovery: Discovery, to scan: ScanConsumer, _ owner: isolated some CentralOwner) {
        owner.meter.dropped(.sighting, scan.box.push(discovery))
    }

    /// Hands a sighting to the streams over all scans.
    private func push(_ discovery: Discovery, _ owner: isolated some CentralOwner) {
        owner.meter.dropped(.sighting, published.discoveries.push(discovery))
    }

    /// The manager forgets a peripheral: the scans do too, and treat its next sighting as its first.
    func forget(_ id: PeerIdentifier, reportsLoss: Bool, _ owner: isolated some CentralOwner) {
        loseFromScans(id, owner, reportsLoss: reportsLoss) { _ in true }
    }

    private func loseFromScans(
        _ id: PeerIdentifier, _ owner: isolated some CentralOwner, reportsLoss: Bool,
        where isConcerned: (ScanConsumer) -> Bool
    ) {
        var lost: Discovery?
        for scan in consumers.values where isConcerned(scan) {
            guard let discovery = scan.takeLost(id), reportsLoss else { continue }
            push(discovery, to: scan, owner)
            lost = discovery
        }
        if let lost { reportLost(lost, owner) }
    }
}
