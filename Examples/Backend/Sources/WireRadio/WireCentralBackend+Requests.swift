// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapSerDe

/// The operations that the manager asks for.
extension WireCentralBackend {
    /// Begins an operation. Operations that need the device are sent to it; the others are answered from the known
    /// state.
    public func perform(_ request: CentralRequest) {
        let number = request.id.rawValue
        switch request.operation {
        case .retrieve(let identifiers):
            answer(request, .success(.peripherals(identifiers.compactMap { known($0) })))
        case .retrieveConnected(let services):
            answer(request, .success(.peripherals(devices.keys.sorted().compactMap { connected($0, services) })))
        case .discoverServices(let peripheral, let uuids):
            discover(request, of: peripheral) { $0.primaryServices(uuids) }
        case .discoverIncludedServices(let peripheral, let service, let uuids):
            discover(request, of: peripheral) { $0.services(includedBy: service, uuids) }
        case .discoverCharacteristics(let peripheral, let service, let uuids):
            discover(request, of: peripheral) { $0.characteristics(of: service, uuids) }
        case .discoverDescriptors(let peripheral, let characteristic):
            discover(request, of: peripheral) { $0.descriptors(of: characteristic) }
        case .read(let peripheral, let attribute):
            ask(request, of: peripheral, .read(request: number, attribute: attribute.rawValue), for: .value)
        case .write(let peripheral, let attribute, let value, .withResponse):
            let message = Message.write(request: number, attribute: attribute.rawValue, value: value)
            ask(request, of: peripheral, message, for: .done)
        case .write(let peripheral, let attribute, let value, .withoutResponse),
            .write(let peripheral, let attribute, let value, .withoutResponseOverSocket):
            send(request, to: peripheral, .command(attribute: attribute.rawValue, value: value))
        case .setNotifying(let peripheral, let attribute, let isOn, _):
            let message = Message.subscribe(request: number, attribute: attribute.rawValue, isOn: isOn)
            ask(request, of: peripheral, message, for: .done)
        case .cancelPairing, .removeBond:
            answer(request, .success(.done))
        case .readRSSI, .pair, .setConnectionParameters:
            answer(request, .failure(.unsupported))
        }
    }

    /// Answers a request after the manager's call has returned.
    private func answer(_ request: CentralRequest, _ result: Result<CentralReply, OperationFailure>) {
        later { $0.sink?(.reply(request.id, result)) }
    }

    /// Sends a message whose answer is the answer to the request.
    private func ask(
        _ request: CentralRequest, of peripheral: PeerIdentifier, _ message: Message, for answer: Link.Answer
    ) {
        guard let device = devices[peripheral], device.link?.isUp == true else {
            return self.answer(request, .failure(.disconnected))
        }
        devices[peripheral]?.link?.pending[request.id] = answer
        device.wire?.send(message)
    }

    /// Sends a message that the device does not answer. The request is answered when the socket has taken the message,
    /// so that the manager writes no faster than the wire carries.
    private func send(_ request: CentralRequest, to peripheral: PeerIdentifier, _ message: Message) {
        guard let device = devices[peripheral], device.link?.isUp == true else {
            return answer(request, .failure(.disconnected))
        }
        device.wire?.send(message, whenSent: callback { $0.sink?(.reply(request.id, .success(.done))) })
    }

    /// Answers from the database, which came with the connection.
    private func discover(
        _ request: CentralRequest, of peripheral: PeerIdentifier, _ reply: (Link) -> CentralReply
    ) {
        guard let link = devices[peripheral]?.link, link.isUp else { return answer(request, .failure(.disconnected)) }
        answer(request, .success(reply(link)))
    }

    /// The known state of a device in range.
    private func known(_ peripheral: PeerIdentifier) -> KnownPeripheral? {
        guard let device = devices[peripheral], device.wire != nil else { return nil }
        return KnownPeripheral(
            id: peripheral, name: device.sighting?.name,
            advertisements: device.sighting?.advertisements ?? PeripheralAdvertisements(),
            isConnected: device.link?.isUp == true)
    }

    /// The same of a device that is connected and has one of the services, where services are given.
    private func connected(_ peripheral: PeerIdentifier, _ services: [BluetoothUUID]) -> KnownPeripheral? {
        guard let found = devices[peripheral]?.link?.services else { return nil }
        guard services.isEmpty || found.contains(where: { services.contains($0.uuid) }) else { return nil }
        return known(peripheral)
    }
}
