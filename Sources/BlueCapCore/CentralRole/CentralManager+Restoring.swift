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
        defer { restorationChanged() }
        do { return try journal.takeRestored() } catch { throw .restoreFailed(error) }
    }

    /// Records the connections, subscriptions and scans to restore when the radio is on.
    func restore(_ contents: CentralRestoration) {
        if state == .poweredOn || isInvalidated { return }
        var state = journal.restored ?? RestoredCentralState()
        for wanted in contents.peripherals where !book.isFull {
            // The platform reports this peripheral, and the journal has restored it already.
            if book.known(wanted.id)?.connection.machine.restored != nil { continue }
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
            record.database.forget()
        }
        // A platform that restores reports a scan of the journal's too, with the options that it knows.
        let known = Set(state.scans.map(\.services))
        state.scans += contents.scans.filter { !known.contains($0.services) }
        if !state.isEmpty { journal.hold(state) }
    }

    private func restore(_ wanted: CentralRestoration.Subscription, of record: PeripheralRecord) -> Characteristic? {
        guard let service = record.database.merge(services: [wanted.service]).first else { return nil }
        let characteristics = record.database.merge(characteristics: [wanted.characteristic], of: service)
        connections.databases.report(characteristics)
        guard let characteristic = characteristics.first, characteristic.canNotify else { return nil }
        include(service, in: wanted.includingService, of: record)
        record.subscriptions.add(restored: characteristic, over: wanted.transport)
        return characteristic
    }

    /// Has an included service stand in the primary one through which it is discovered again.
    private func include(_ service: Service, in including: DiscoveredService?, of record: PeripheralRecord) {
        guard !service.isPrimary, let including, including.isPrimary, including.id != service.id,
            let outer = record.database.merge(services: [including]).first
        else { return }
        outer.facts.withLock { facts in
            if !facts.includedServices.contains(where: { $0 === service }) { facts.includedServices.append(service) }
        }
    }

    // MARK: With the radio on

    /// Takes up the links that still stand, and makes those again that are wanted.
    func takeUpRestored() {
        let ids = book.used.filter(\.connection.machine.isWaitingToBeTakenUp).map(\.peripheral.identifier)
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
                manager.book.known(id)?.connection.takeUp(stands: standing.contains(id), manager)
            }
        }
    }

    // MARK: The journal

    var contents: CentralRestoration {
        let peripherals = book.used.filter(\.isWanted).map(\.wanted)
        // Scans that the app has not taken yet are still to be restored.
        return CentralRestoration(peripherals: peripherals, scans: (journal.restored?.scans ?? []) + scans.restorable)
    }
}

extension PeripheralRecord {
    /// Whether the program, or its policy, wants a connection.
    fileprivate var isWanted: Bool {
        connection.machine.isWanted(callers: connection.callerCount + scopes.activeCount, policy: wantedPolicy)
    }

    /// The policy for the next program: that of the last scope that began, or the peripheral's.
    private var wantedPolicy: ReconnectPolicy {
        scopes.lastPolicy ?? peripheral.reconnectPolicy
    }

    fileprivate var wanted: CentralRestoration.Peripheral {
        let wanted = subscriptions.all.filter(\.isRestorable).compactMap { subscription in
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
            isConnected: link == .connected || connection.machine.restored == .stood,
            reconnectPolicy: wantedPolicy, attemptTimeout: connection.machine.attemptTimeout,
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
