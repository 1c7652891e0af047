// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The backend's events, each applied at once and in order.
extension PeripheralManager {
    func apply(_ event: PeripheralEvent) {
        if isClosed { return }
        switch event {
        case .stateChanged(let state, let failure): radio.changed(to: state, failure, self)
        case .restored(let contents): restore(contents)
        case .servicePlaced(let id, let handle): registrations.placed(id, at: handle, self)
        case .registrationsLost: registrations.forgotten(self)
        case .centralConnected(let central): links.connected(central, self)
        case .centralChanged(let identifier, let central):
            centralChanged(identifier, central.identifier ?? identifier)
            links.changed(identifier, to: central, self)
        case .centralDisconnected(let identifier, let failure, let prepared):
            links.disconnected(identifier, failure, prepared: prepared, self)
            requests.channels.linkEnded(identifier, .disconnected, self)
        case .access(let access): server.accessed(access, self)
        case .accessCancelled(let id): server.cancelled(id, self)
        case .subscribed(let attribute, let central): updates.subscribed(attribute, central, self)
        case .subscriberChanged(let attribute, let central): updates.subscriberChanged(attribute, central, self)
        case .unsubscribed(let attribute, let central): updates.unsubscribed(attribute, central, self)
        case .advertisingEnded(let id, let failure): registrations.advertisingEnded(id, failure, self)
        case .pairingRequested(let prompt): pairing.requested(prompt, self)
        case .pairingRequestEnded(let id): pairing.requestEnded(id, self)
        case .pairingUnavailable(let failure):
            logger.warning(
                "the platform does not ask about pairing, which is tried again", ["failure": "\(failure)"])
        case .reply(let id, .success): requests.finish(id, .success(.done), self)
        case .reply(let id, .failure(let failure)): requests.finish(id, .failure(failure), self)
        }
    }

    /// Everything that needs the radio ends with the reason; services and advertisements wait for the radio.
    func radioLost(_ reason: OperationFailure) {
        links.radioLost(reason, self)
        server.closeAll(self)
        for characteristic in registrations.database.characteristics {
            updates.endSubscriptions(to: characteristic, self)
        }
        registrations.suspend(PeripheralManagerError(reason), self)
        requests.drain(nil, .failed(reason), self)
        requests.channels.endAll(ChannelError(reason), self)
        pairing.endRequests(self)
    }

    /// Everything that is offered is added and advertised again.
    func radioReturned() {
        registrations.publish(self)
        registrations.settleAll(self)
    }
}

extension PeripheralManager: PeripheralOwner {
    typealias StateError = PeripheralManagerError
    typealias Contents = PeripheralRestoration
    typealias Restored = RestoredPeripheralState

    nonisolated var manager: PeripheralManager? { self }
}
