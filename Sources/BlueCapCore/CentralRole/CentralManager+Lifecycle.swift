// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension CentralManager {
    /// Ends every connection and attempt, and returns when all are down, in a cancelled task too.
    ///
    /// - Parameter timeout: How long to wait; nil for as long as it takes. The ends go on after it.
    /// - Returns: Whether all are down.
    @discardableResult
    public func disconnectAllPeripherals(timeout: Duration? = .seconds(5)) async -> Bool {
        await disconnectAll(until: end(after: timeout))
    }

    /// Disconnects all peripherals and forgets them, and waits for it in a cancelled task, too. Scans go on.
    ///
    /// - Parameter timeout: How long to wait for the ends of connections; nil for as long as they take. After it the
    ///   manager still knows all peripherals.
    /// - Returns: Whether all are forgotten.
    @discardableResult
    public func removeAllPeripherals(timeout: Duration? = .seconds(5)) async -> Bool {
        await removeAll(until: end(after: timeout))
    }

    /// Disconnects a peripheral and forgets it, as ``Peripheral/terminate(timeout:)``.
    ///
    /// - Parameters:
    ///   - identifier: Which peripheral; does nothing if the manager does not know it.
    ///   - timeout: How long to wait for the end of a connection; nil for as long as it takes.
    /// - Returns: Whether it is forgotten.
    @discardableResult
    public func removePeripheral(
        withIdentifier identifier: PeerIdentifier, timeout: Duration? = .seconds(5)
    ) async -> Bool {
        guard let peripheral = peripheral(withIdentifier: identifier) else { return true }
        return await terminate(peripheral, timeout: timeout)
    }

    /// Ends all scans and requests with `.invalidated`, all connections and attempts with `.forcedDisconnect`, and
    /// forgets all peripherals; the manager stays usable. It waits in a cancelled task, too.
    ///
    /// - Parameter timeout: How long to wait for the ends of connections; nil for as long as they take. After it the
    ///   manager still knows all peripherals.
    /// - Returns: Whether all are forgotten.
    @discardableResult
    public func reset(timeout: Duration? = .seconds(5)) async -> Bool {
        endEverything()
        return await removeAll(until: end(after: timeout))
    }

    /// The peripherals whose connections or attempts are not down.
    var unended: [Peripheral] { book.all.filter { $0.link != .idle }.map(\.peripheral) }

    /// Peripherals that the platform knows by these identifiers, from earlier runs too, without a scan.
    ///
    /// - Parameters:
    ///   - identifiers: Which peripherals.
    ///   - timeout: How long to wait for the platform's answer; nil for as long as it takes.
    /// - Returns: Those that it knows, in the order of the identifiers.
    /// - Throws: `.retrievalTimeout`, `.poweredOff`, `.cancelled`, `.invalidated`, `.backend`.
    public func retrievePeripherals(
        withIdentifiers identifiers: [PeerIdentifier], timeout: Duration? = nil
    ) async throws(CentralManagerError) -> [Peripheral] {
        let found = try await retrieve(.retrieve(identifiers), timeout)
        return identifiers.compactMap { id in found.first { $0.identifier == id } }
    }

    /// Peripherals that are connected to this machine now, by any program, and have one of the services (any, if
    /// empty).
    ///
    /// They are not connected for this manager: call ``Peripheral/connect(timeout:)``, which takes over the link.
    ///
    /// - Parameters:
    ///   - services: The services of which the peripherals have one; none for any peripheral.
    ///   - timeout: How long to wait for the platform's answer; nil for as long as it takes.
    /// - Throws: `.retrievalTimeout`, `.poweredOff`, `.cancelled`, `.invalidated`, `.backend`.
    public func retrieveConnectedPeripherals(
        withServices services: [BluetoothUUID] = [], timeout: Duration? = nil
    ) async throws(CentralManagerError) -> [Peripheral] {
        try await retrieve(.retrieveConnected(services: services), timeout)
    }

    private func retrieve(
        _ operation: CentralOperation, _ timeout: Duration?
    ) async throws(CentralManagerError) -> [Peripheral] {
        typealias Retrieved = Result<[Peripheral], CentralManagerError>
        return try await perform(operation, timeout: timeout) { manager, outcome -> Retrieved in
            guard case .reply(.peripherals(let known)) = outcome else {
                return .failure(CentralManagerError(outcome, timeout: .retrievalTimeout))
            }
            return .success(known.map { manager.adopt($0) })
        }
    }

    func adopt(_ known: KnownPeripheral) -> Peripheral {
        let peripheral = book.record(for: known.id, self).peripheral
        peripheral.facts.withLock { facts in
            if let name = known.name?.asDeviceName { facts.name = name }
            if let isBonded = known.isBonded { facts.isBonded = isBonded }
            if facts.advertisements == PeripheralAdvertisements() { facts.advertisements = known.advertisements }
        }
        return peripheral
    }

    func terminate(_ peripheral: Peripheral, timeout: Duration?) async -> Bool {
        guard let record = book.known(peripheral) else { return true }
        let end = end(after: timeout)
        repeat {
            guard await connections.ended(record, after: record.connection.forceEnd(self), until: end, self) else {
                return false
            }
        } while !record.isForgettable
        if book.known(peripheral) !== record { return true }
        record.subscriptions.endAll(.disconnected, self)
        book.forget(peripheral.identifier, self)
        return true
    }

    func disconnectAll(until end: Duration?) async -> Bool {
        // Asked for all together, then waited for one by one.
        let all = book.used.map { ($0, $0.connection.forceEnd(self)) }
        var isDown = true
        for (record, count) in all where await !connections.ended(record, after: count, until: end, self) {
            isDown = false
        }
        return isDown
    }

    func removeAll(until end: Duration?) async -> Bool {
        // A call may have connected one peripheral again while the ends of others were waited for.
        repeat {
            guard await disconnectAll(until: end) else { return false }
        } while book.all.contains { !$0.isForgettable }
        for record in book.all { book.forget(record.peripheral.identifier, self) }
        return true
    }

    func end(after timeout: Duration?) -> Duration? { timeout.map { clock.elapsed + $0 } }

    func attemptTimeout(of id: PeerIdentifier) -> Duration? { book.known(id)?.connection.machine.attemptTimeout }

    func endEverything() {
        if scans.endAll(.invalidated, self) { backend.onExecutor { $0.scan(nil) } }
        // Connections end before their subscriptions and requests: a caller that learns of the later end finds the
        // earlier.
        for record in book.used { _ = record.connection.forceEnd(self) }
        for record in book.used { record.subscriptions.endAll(.invalidated, self) }
        connections.polls.endAll(self)
        requests.drain(nil, .invalidated, self)
        requests.channels.endAll(.invalidated, self)
    }

    // MARK: Remains

    /// The work under way, by kind: nothing once every call has returned, every loop was left and every link is down.
    package var remains: [String: Int] {
        let records = book.used
        let subscriptions = records.flatMap(\.subscriptions.all)
        let own = [
            "scans": scans.count,
            "measurements of signal strength": connections.polls.count,
            "links": records.count { $0.link != .idle },
            "retries": records.count(where: \.connection.machine.isRetrying),
            "scopes": records.reduce(0) { $0 + $1.scopes.count },
            "callers of connect": records.reduce(0) { $0 + $1.connection.callerCount },
            "callers of disconnect": records.reduce(0) { $0 + $1.connection.endCallerCount },
            "listeners": subscriptions.reduce(0) { $0 + $1.listeners.count + $1.machine.holdCount },
            "callers of a subscription": subscriptions.reduce(0) { $0 + $1.waiterCount },
        ]
        return commonRemains.merging(own.filter { $0.value > 0 }) { $1 }
    }

    /// The peripherals to which a connection is tried for, now or later, and there is none.
    package var attempts: [PeerIdentifier] {
        book.used.filter(\.connection.machine.isAway).map(\.peripheral.identifier)
    }
}
