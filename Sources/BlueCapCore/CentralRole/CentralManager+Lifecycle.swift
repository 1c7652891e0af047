// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension CentralManager {
    /// Ends every connection and attempt, and returns when all are down, in a cancelled task too.
    public func disconnectAllPeripherals() async {
        // Asked for all together, then waited for one by one.
        let all = records.values.map { ($0, forceEnd($0)) }
        for (record, count) in all { await ended(record, after: count) }
    }

    /// Disconnects all peripherals and forgets them. Scans go on.
    public func removeAllPeripherals() async {
        // Somebody may have connected one again while others were waited for.
        repeat { await disconnectAllPeripherals() } while records.values.contains { !$0.isForgettable }
        for id in Array(records.keys) { forget(id) }
    }

    /// Disconnects a peripheral and forgets it.
    public func removePeripheral(withIdentifier identifier: PeerIdentifier) async {
        guard let peripheral = peripheral(withIdentifier: identifier) else { return }
        await terminate(peripheral)
    }

    /// Ends all scans, connections and requests with `.invalidated` and forgets all peripherals; the manager stays usable.
    public func reset() async {
        endEverything()
        await removeAllPeripherals()
    }

    /// Ends the manager for good: every scan, connection and request with `.invalidated`, every stream quietly, and
    /// returns when what it connected is disconnected. Calls made later throw `.invalidated`.
    public func invalidate() async {
        if isInvalidated { return await disconnectAllPeripherals() }
        isInvalidated = true
        endEverything()
        endPairing()
        resolveStateWaiters()
        await removeAllPeripherals()
        isClosed = true
        writeJournal()
        journal?.close()
        finishStreams()
        armedTimer?.timer.cancel()
        backend.onExecutor { $0.invalidate() }
    }

    /// Peripherals that the platform knows by these identifiers, from earlier runs too, without a scan.
    ///
    /// - Returns: Those that it knows, in the order of the identifiers.
    /// - Throws: `.poweredOff`, `.cancelled`, `.invalidated`, `.backend`.
    public func retrievePeripherals(
        withIdentifiers identifiers: [PeerIdentifier]
    ) async throws(CentralManagerError) -> [Peripheral] {
        let found = try await retrieve(.retrieve(identifiers))
        return identifiers.compactMap { id in found.first { $0.identifier == id } }
    }

    /// Peripherals that are connected to this machine now, by any program, and have one of the services (any, if empty).
    ///
    /// They are not connected for this manager: call ``Peripheral/connect(timeout:)``, which takes over the link.
    ///
    /// - Throws: `.poweredOff`, `.cancelled`, `.invalidated`, `.backend`.
    public func retrieveConnectedPeripherals(
        withServices services: [BluetoothUUID] = []
    ) async throws(CentralManagerError) -> [Peripheral] {
        try await retrieve(.retrieveConnected(services: services))
    }

    private func retrieve(_ operation: CentralOperation) async throws(CentralManagerError) -> [Peripheral] {
        try await perform(operation, timeout: nil) { manager, outcome -> Result<[Peripheral], CentralManagerError> in
            guard case .reply(.peripherals(let known)) = outcome else { return .failure(CentralManagerError(outcome)) }
            return .success(known.map { manager.adopt($0) })
        }
    }

    func adopt(_ known: KnownPeripheral) -> Peripheral {
        let peripheral = record(for: known.id).peripheral
        peripheral.facts.withLock { facts in
            if let name = known.name { facts.name = name.asDeviceName }
            if let isBonded = known.isBonded { facts.isBonded = isBonded }
            if facts.advertisements == PeripheralAdvertisements() { facts.advertisements = known.advertisements }
        }
        return peripheral
    }

    func terminate(_ peripheral: Peripheral) async {
        guard let record = records[peripheral.identifier], record.peripheral === peripheral else { return }
        repeat { await ended(record, after: forceEnd(record)) } while !record.isForgettable
        if records[peripheral.identifier] !== record { return }
        endSubscriptions(of: record, .disconnected)
        forget(peripheral.identifier)
    }

    func attemptTimeout(of id: PeerIdentifier) -> Duration? { records[id]?.connection.attemptTimeout }

    private func endEverything() {
        let isOnRadio = scanRequest != nil
        endScans(.invalidated)
        if isOnRadio { backend.onExecutor { $0.scan(nil) } }
        for record in records.values { endSubscriptions(of: record, .invalidated) }
        for id in Array(rssiPolls.keys) { endRSSIPoll(id) }
        drain(nil, .invalidated)
    }
}
