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
        case .matched(let sighting, let mode): scans.sighted(sighting, matching: mode, self)
        case .matchLost(let id, let mode): scans.matchLost(id, mode, self)
        case .sightingsCoalesced(let isOn): scans.sightingsCoalesced(isOn, self)
        case .scanFailed(let failure): scans.endAll(CentralManagerError(failure), self)
        case .scanModeRefused(let mode, let failure): scans.refused(mode, failure, self)
        case .valueChanged(let id, let attribute, let value): deliveries.valueChanged(id, attribute, value, self)
        case .valuesDropped(let id, let attribute, let count):
            deliveries.valuesDropped(book.known(id), attribute, count, self)
        case .peripheralHeard(let id), .connected(let id, _), .connectFailed(let id, _), .disconnected(let id, _),
            .maximumTransmissionUnitChanged(let id, _), .nameChanged(let id, _), .servicesChanged(let id, _),
            .notifyingStopped(let id, _, _), .bondChanged(let id, _):
            if let record = book.known(id) { apply(event, to: record) }
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

    /// Applies an event of one peripheral.
    private func apply(_ event: CentralEvent, to record: PeripheralRecord) {
        switch event {
        case .peripheralHeard: record.connection.heard(self)
        case .connected(_, let maximumTransmissionUnit): record.connection.connected(maximumTransmissionUnit, self)
        case .connectFailed(_, let failure): record.connection.failed(failure, self)
        case .disconnected(let id, let failure):
            record.connection.disconnected(failure, self)
            requests.channels.linkEnded(id, .disconnected, self)
        case .maximumTransmissionUnitChanged(_, let value):
            record.peripheral.facts.withLock { $0.maximumTransmissionUnit = value }
        case .nameChanged(_, let name):
            if let name = name.asDeviceName { record.peripheral.facts.withLock { $0.name = name } }
        case .servicesChanged(_, let invalidated): record.database.changed(invalidated, self)
        case .notifyingStopped(_, let attribute, let failure): record.subscriptions.stopped(attribute, failure, self)
        case .bondChanged(_, let isBonded): record.peripheral.facts.withLock { $0.isBonded = isBonded }
        case .stateChanged, .restored, .sighted, .matched, .matchLost, .sightingsCoalesced, .scanFailed,
            .scanModeRefused, .valueChanged, .valuesDropped, .pairingRequested, .pairingRequestEnded,
            .pairingUnavailable, .reply:
            break
        }
    }

    /// A request has found no link, before the platform has reported the loss: the connection ends as lost, so that
    /// whoever hears of the request's end finds no connection that stands.
    private func linkMissed(by id: RequestID) {
        guard let lane = requests.lane(of: id), let peripheral = lane.peripheral, let record = book.known(peripheral),
            lane.generation == record.connection.machine.generation
        else { return }
        record.connection.fail(.disconnected, self)
        requests.channels.linkEnded(peripheral, .disconnected, self)
    }

    /// Everything that needs the radio ends with the reason; what the policy wants back waits for the radio.
    func radioLost(_ reason: OperationFailure) {
        scans.endAll(CentralManagerError(reason), self)
        for record in book.used { record.connection.radioLost(reason, self) }
        requests.drain(nil, .failed(reason), self)
        requests.channels.endAll(ChannelError(reason), self)
        pairing.endRequests(self)
    }

    /// Restored connections are taken up, and those are made again that the policy wants back.
    func radioReturned() {
        takeUpRestored()
        for record in book.used { record.connection.radioReturned(self) }
    }
}

extension CentralManager: CentralOwner {
    typealias StateError = CentralManagerError
    typealias Contents = CentralRestoration
    typealias Restored = RestoredCentralState

    func makePeripheral(_ id: PeerIdentifier) -> Peripheral {
        Peripheral(identifier: id, manager: self, clock: clock)
    }
}
