// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The backend's events, each applied at once and in order.
extension CentralManager {
    func apply(_ event: CentralEvent) {
        if isClosed { return }
        switch event {
        case .stateChanged(let state, let failure): radio.changed(to: state, failure, self)
        case .restored(let contents): restore(contents)
        case .sighted(let sighting): scans.sighted(sighting, self)
        case .sightingsCoalesced(let isOn): scans.sightingsCoalesced(isOn, self)
        case .scanFailed(let failure): scans.endAll(CentralManagerError(failure), self)
        case .peripheralHeard(let id): connections.peripheralHeard(id, self)
        case .connected(let id, let maximumTransmissionUnit): connections.connected(id, maximumTransmissionUnit, self)
        case .connectFailed(let id, let failure): connections.connectFailed(id, failure, self)
        case .disconnected(let id, let failure): connections.disconnected(id, failure, self)
        case .maximumTransmissionUnitChanged(let id, let value):
            book.known(id)?.peripheral.facts.withLock { $0.maximumTransmissionUnit = value }
        case .nameChanged(let id, let name):
            if let name = name.asDeviceName { book.known(id)?.peripheral.facts.withLock { $0.name = name } }
        case .servicesChanged(let id, let invalidated): connections.databases.servicesChanged(id, invalidated, self)
        case .valueChanged(let id, let attribute, let value): deliveries.valueChanged(id, attribute, value, self)
        case .notifyingStopped(let id, let attribute, let failure):
            connections.subscriptions.notifyingStopped(id, attribute, failure, self)
        case .valuesDropped(let id, let attribute, let count): deliveries.valuesDropped(id, attribute, count, self)
        case .bondChanged(let id, let isBonded): bondChanged(id, isBonded)
        case .pairingRequested(let prompt): pairing.requested(prompt, self)
        case .pairingRequestEnded(let id): pairing.requestEnded(id, self)
        case .pairingUnavailable(let failure):
            logger.warning(
                "the platform does not ask about pairing, which is tried again", ["failure": "\(failure)"])
        case .reply(let id, let result):
            if case .failure(.disconnected) = result { linkMissed(by: id) }
            requests.finish(id, result, self)
        }
    }

    /// A request has found no link, before the platform has reported the loss: the connection ends as lost, so that
    /// whoever hears of the request's end finds no connection that stands.
    private func linkMissed(by id: RequestID) {
        guard let lane = requests.lane(of: id), let peripheral = lane.peripheral, let record = book.known(peripheral),
            lane.generation == record.connection.generation
        else { return }
        connections.carryOut(record.connection.fail(.disconnected), for: record, self)
    }

    /// Everything that needs the radio ends with the reason; what the policy wants back waits for the radio.
    func radioLost(_ reason: OperationFailure) {
        scans.endAll(CentralManagerError(reason), self)
        for record in book.all {
            connections.scopes.usersLostRadio(record)
            connections.carryOut(
                record.connection.radioLost(reason, connections.surroundings(of: record, self)), for: record, self)
        }
        requests.drain(nil, .failed(reason), self)
        pairing.endRequests(self)
    }

    /// Restored connections are taken up, and those are made again that the policy wants back.
    func radioReturned() {
        takeUpRestored()
        for record in book.all {
            connections.scopes.usersFoundRadio(record, self)
            connections.carryOut(
                record.connection.radioReturned(connections.surroundings(of: record, self)), for: record, self)
        }
    }
}

/// How requests of the central role go to its backend.
extension CentralManager: RadioManager {
    typealias StateError = CentralManagerError
    typealias Contents = CentralRestoration
    typealias Restored = RestoredCentralState
    typealias Pending = PendingTable<CentralOperation, Completion>
    typealias Deadlines = DeadlineTimer<CentralManager>

    /// The lane of a peripheral's current connection.
    func lane(_ kind: Pending.Lane.Kind, of peripheral: PeerIdentifier) -> Pending.Lane {
        Pending.Lane(peripheral: peripheral, generation: book.known(peripheral)?.connection.generation ?? 0, kind: kind)
    }

    func send(_ id: RequestID, _ operation: CentralOperation) {
        pairing.takeConsumers(self)
        let request = CentralRequest(id: id, operation: operation)
        backend.onExecutor { $0.perform(request) }
    }

    func lane(of operation: CentralOperation, id: RequestID, kind: Pending.Lane.Kind?) -> Pending.Lane {
        guard let peripheral = operation.peripheral else {
            return Pending.Lane(peripheral: nil, generation: 0, kind: .single(id))
        }
        return lane(kind ?? .single(id), of: peripheral)
    }

    func endsInOrder(_ operation: CentralOperation) -> Bool {
        guard let record = operation.peripheral.flatMap({ book.known($0) }) else { return false }
        return record.endsInOrder || record.connection.isEndedByApp
    }

    func refusal(of operation: CentralOperation) -> Outcome? {
        if let refusal = refusalByRadio { return refusal }
        if let peripheral = operation.peripheral, book.known(peripheral)?.link != .connected {
            return .failed(.disconnected)
        }
        return nil
    }
}
