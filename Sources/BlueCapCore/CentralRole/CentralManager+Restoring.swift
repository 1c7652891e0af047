// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Restoring the connections, subscriptions and scans of the program before this one.
extension CentralManager {
    /// Returns the peripherals, subscriptions and scans that the last program with the same
    /// ``Configuration/restoreIdentifier`` had when it ended; once, then nil.
    ///
    /// It is there from the beginning, before the state is `.poweredOn`, so ask for it first. Connections may stand
    /// when it returns: ``Peripheral/connect(timeout:)`` returns at once then, and values are held until a listener
    /// takes them. See <doc:Restoration>.
    ///
    /// - Returns: Nil without an identifier, where there is nothing to restore, and from the second call on.
    /// - Throws: `.restoreFailed`, once, where the journal cannot be used: the manager then works without its contents,
    ///   and with `.inUse`, `.unusable` or `.inaccessible` keeps no journal; `.cancelled`.
    public func restoredState() async throws(CentralManagerError) -> RestoredCentralState? {
        // Where the caller runs on the manager's executor, the job of `init` that does this may not have run yet.
        journal.takeUp(self)
        if backend.restoresState {
            for await state in states() where state != .unknown { break }
            if Task.isCancelled { throw .cancelled }
        }
        defer { wantedChanged() }
        do { return try journal.takeRestored() } catch { throw .restoreFailed(error) }
    }

    /// Records the connections, subscriptions and scans to restore when the radio is on.
    func restore(_ contents: CentralRestoration) {
        if state == .poweredOn || isInvalidated { return }
        var state = journal.restored ?? RestoredCentralState()
        for wanted in contents.peripherals where !book.isFull {
            // The platform reports this peripheral, and the journal has restored it already.
            if book.known(wanted.id)?.connection.restored != nil { continue }
            let record = book.record(for: wanted.id, self)
            record.connection.restore(wanted.isConnected ? .stood : .attempted, timeout: wanted.attemptTimeout)
            record.peripheral.facts.withLock { facts in
                facts.name = wanted.name?.asDeviceName ?? facts.name
                facts.reconnectPolicy = wanted.reconnectPolicy
            }
            state.peripherals.append(record.peripheral)
            for subscription in wanted.subscriptions {
                guard let characteristic = restore(subscription, of: record) else { continue }
                state.characteristics.append(characteristic)
            }
            // Handles stand for attributes again once they are discovered.
            record.forgetAttributes()
        }
        // A platform that restores reports a scan of the journal's too, with the options that it knows.
        let known = Set(state.scans.map(\.services))
        state.scans += contents.scans.filter { !known.contains($0.services) }
        if !state.isEmpty { journal.hold(state) }
    }

    private func restore(_ wanted: CentralRestoration.Subscription, of record: PeripheralRecord) -> Characteristic? {
        let services = connections.databases.merge(services: [wanted.service], into: record, replacing: false)
        guard let service = services.first,
            let characteristic = connections.databases.merge(
                characteristics: [wanted.characteristic], into: service, of: record, replacing: false
            ).first, characteristic.canNotify
        else { return nil }
        include(service, in: wanted.includingService, of: record)
        let subscription = SubscriptionRecord(characteristic)
        subscription.machine.choose(wanted.transport)
        subscription.held = HeldValues()
        record.subscriptions[characteristic.id] = subscription
        return characteristic
    }

    /// Has an included service stand in the primary one through which it is discovered again.
    private func include(_ service: Service, in including: DiscoveredService?, of record: PeripheralRecord) {
        guard !service.isPrimary, let including, including.isPrimary, including.id != service.id,
            let outer = connections.databases.merge(services: [including], into: record, replacing: false).first
        else { return }
        outer.facts.withLock { facts in
            if !facts.includedServices.contains(where: { $0 === service }) { facts.includedServices.append(service) }
        }
    }

    // MARK: With the radio on

    /// Takes up the links that still stand, and makes those again that are wanted.
    func takeUpRestored() {
        let ids = book.all.filter(\.connection.isWaitingToBeTakenUp).map(\.peripheral.identifier)
        if ids.isEmpty { return }
        begin(.retrieve(ids)) { manager, outcome in
            // When the radio has gone again, its return asks again.
            if manager.state != .poweredOn { return }
            var standing: Set<PeerIdentifier> = []
            if case .reply(.peripherals(let known)) = outcome {
                for peripheral in known where manager.book.known(peripheral.id) != nil {
                    _ = manager.adopt(peripheral)
                    if peripheral.isConnected { standing.insert(peripheral.id) }
                }
            }
            for id in ids {
                guard let record = manager.book.known(id) else { continue }
                let surroundings = manager.connections.surroundings(of: record, manager)
                let actions = record.connection.takeUp(stands: standing.contains(id), surroundings)
                manager.connections.carryOut(actions, for: record, manager)
            }
        }
    }

    /// How long a restored connection is kept from the app while its subscriptions are made.
    private static let subscribingTime = Duration.seconds(5)

    /// A restored connection stands: its subscriptions are made before it is reported.
    func takenUp(_ record: PeripheralRecord) {
        let id = record.peripheral.identifier
        record.times.report = after(Self.subscribingTime) { manager in
            guard let record = manager.book.known(id), record.times.report != nil, record.link == .connected else {
                return
            }
            record.times.report = nil
            manager.connections.report(record, manager)
        }
        connections.subscriptions.restoreSubscriptions(of: record, self)
        reportIfSubscribed(record)
    }

    /// Reports a restored connection when its subscriptions are there, unless it is being ended by then.
    func reportIfSubscribed(_ record: PeripheralRecord) {
        guard let deadline = record.times.report, record.link == .connected,
            !record.subscriptions.values.contains(where: { $0.isWanted && $0.machine.phase != .on })
        else { return }
        cancelDeadline(deadline)
        record.times.report = nil
        connections.report(record, self)
    }

    // MARK: The journal

    var contents: CentralRestoration {
        let peripherals = book.all.filter(\.isWanted).map(\.wanted)
        // Scans that the app has not taken yet are still to be restored.
        return CentralRestoration(peripherals: peripherals, scans: (journal.restored?.scans ?? []) + scans.restorable)
    }
}

extension PeripheralRecord {
    /// Whether the program, or its policy, wants a connection.
    fileprivate var isWanted: Bool {
        let scopes = users.values.filter(\.isActive)
        return connection.isWanted(callers: waiters.count + scopes.count, policy: wantedPolicy)
    }

    /// The policy for the next program: that of the last scope that began, or the peripheral's.
    private var wantedPolicy: ReconnectPolicy {
        users.values.last(where: \.isActive)?.policy ?? peripheral.reconnectPolicy
    }

    fileprivate var wanted: CentralRestoration.Peripheral {
        let wanted = subscriptions.values.filter(\.isRestorable).compactMap { subscription in
            let characteristic = subscription.characteristic
            return characteristic.service.map { service in
                CentralRestoration.Subscription(
                    service: service.discovered,
                    characteristic: DiscoveredCharacteristic(
                        id: characteristic.id, uuid: characteristic.uuid, properties: characteristic.properties),
                    transport: subscription.machine.transport,
                    includingService: service.isPrimary ? nil : includingService(of: service)?.discovered)
            }
        }
        return CentralRestoration.Peripheral(
            id: peripheral.identifier, name: peripheral.facts.withLock { $0.name },
            isConnected: link == .connected || connection.restored == .stood,
            reconnectPolicy: wantedPolicy, attemptTimeout: connection.attemptTimeout,
            subscriptions: wanted)
    }

    /// The first primary service that is known to include a service.
    private func includingService(of service: Service) -> Service? {
        peripheral.services.first { $0.includedServices.contains { $0.id == service.id } }
    }
}

extension Service {
    fileprivate var discovered: DiscoveredService { DiscoveredService(id: id, uuid: uuid, isPrimary: isPrimary) }
}
