// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// The operations and responses of the manager.
extension WirePeripheralBackend {
    /// Carries out an operation.
    public func perform(_ request: PeripheralRequest) {
        switch request.operation {
        case .add(let service):
            services.append(service)
            announceServices()
            answer(request, .success(()))
        case .remove(let id):
            for service in services where service.id == id { endSubscriptions(to: service) }
            services.removeAll { $0.id == id }
            announceServices()
            answer(request, .success(()))
        case .advertise(_, let advertisement), .updateAdvertisement(_, let advertisement):
            self.advertisement = advertisement
            advertise()
            answer(request, .success(()))
        case .stopAdvertising:
            advertisement = nil
            advertise()
            answer(request, .success(()))
        case .update(let attribute, let value, let central):
            update(attribute, value, for: central, request)
        case .disconnect: answer(request, .failure(.unsupported))
        }
    }

    /// Sends the answer to an access.
    public func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) {
        // A command has no entry here, and the end of a link has removed the link's entries.
        guard let access = accesses.removeValue(forKey: access) else { return }
        let message: Message =
            switch result {
            case .success(let value) where access.isRead: .value(request: access.request, value: value)
            case .success: .done(request: access.request)
            case .failure(let error): .refusal(request: access.request, error: error)
            }
        centrals[access.central]?.wire.send(message)
    }

    /// Answers a request after the manager's call has returned.
    private func answer(_ request: PeripheralRequest, _ result: Result<Void, OperationFailure>) {
        later { $0.sink?(.reply(request.id, result)) }
    }

    private func announceServices() {
        let services = services.map(WireService.init)
        for central in centrals.values where central.link != nil { central.wire.send(.services(services)) }
    }

    private func endSubscriptions(to service: LocalService) {
        for identifier in centrals.keys {
            centrals[identifier]?.subscriptions.subtract(service.characteristics.map(\.id))
        }
    }

    /// Sends a value to one subscriber or to all.
    private func update(
        _ attribute: AttributeID, _ value: Bytes, for central: PeerIdentifier?, _ request: PeripheralRequest
    ) {
        let subscribers = centrals.filter {
            $0.value.subscriptions.contains(attribute) && (central == nil || $0.key == central)
        }
        guard let characteristic = characteristic(attribute), !subscribers.isEmpty else {
            return answer(request, .failure(.disconnected))
        }
        updates[attribute] = Update(request: request.id, centrals: Set(subscribers.keys))
        for (identifier, central) in subscribers {
            if characteristic.properties.contains(.notify) {
                let whenSent = callback { $0.finishUpdate(of: attribute, for: identifier) }
                central.wire.send(.notification(attribute: attribute.onWire, value: value), whenSent: whenSent)
            } else {
                central.wire.send(.indication(attribute: attribute.onWire, value: value))
            }
        }
    }

    /// A subscriber's wire has taken a notification, a subscriber has confirmed an indication, or has gone. The last
    /// one's answers the manager's request.
    func finishUpdate(of attribute: AttributeID, for central: PeerIdentifier) {
        guard updates[attribute]?.centrals.remove(central) != nil else { return }
        guard let update = updates[attribute], update.centrals.isEmpty else { return }
        updates[attribute] = nil
        sink?(.reply(update.request, .success(())))
    }

    func characteristic(_ id: AttributeID) -> LocalCharacteristic? {
        services.lazy.flatMap(\.characteristics).first { $0.id == id }
    }
}
