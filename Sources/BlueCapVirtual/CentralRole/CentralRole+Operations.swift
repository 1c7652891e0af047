// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension CentralRole {
    func perform(_ request: ChannelRequest) {
        guard isOn else { return channels.refuse(request) }
        channels.perform(request, link: { link(to: $0) }, isTaken: { _ in true })
    }

    func perform(_ request: CentralRequest) {
        if isKilled { return refuse(.reply(request.id, .failure(.poweredOff))) }
        guard isOn else { return reply(request.id, .failure(.poweredOff)) }
        switch request.operation {
        case .retrieve(let identifiers):
            return reply(request.id, .success(.peripherals(identifiers.compactMap(knownPeripheral))))
        case .retrieveConnected(let services):
            return reply(request.id, .success(.peripherals(connectedPeripherals(with: services))))
        case .removeBond(let identifier):
            ether.forgetBonds(of: adapter.address, with: identifier)
            return reply(request.id, .success(.done))
        default: break
        }
        guard let peripheral = request.operation.peripheral, let link = link(to: peripheral) else {
            return reply(request.id, .failure(.disconnected))
        }
        perform(request.operation, on: link) { [weak self] in self?.reply(request.id, $0) }
    }

    private func reply(_ id: RequestID, _ result: Result<CentralReply, OperationFailure>) {
        emit(.reply(id, result))
    }

    typealias Reply = (Result<CentralReply, OperationFailure>) -> Void

    private func perform(_ operation: CentralOperation, on link: VirtualLink, reply: @escaping Reply) {
        let client = link.client
        switch operation {
        case .retrieve, .retrieveConnected, .removeBond:
            reply(.failure(.unsupported))
        case .pair:
            link.security.run(isWanted: true) { reply($0.map { .failure(.pairing($0)) } ?? .success(.done)) }
        case .cancelPairing:
            link.security.cancel()
            reply(.success(.done))
        case .setConnectionParameters(_, let parameters):
            link.send(.parameters(parameters) { reply(.success(.parameters(.now))) })
        case .readRSSI:
            guard let rssi = link.peer.sampleRSSI() else { return reply(.failure(.rssiUnavailable)) }
            reply(.success(.rssi(rssi)))
        case .discoverServices(_, let uuids):
            client.enqueue { finish in
                client.findServices { result in
                    reply(result.reply { .services($0.filter { uuids?.contains($0.uuid) ?? true }.map(\.discovered)) })
                    link.view.add(result)
                    finish()
                }
            }
        case .discoverIncludedServices(_, let service, let uuids):
            client.enqueue { finish in
                guard let range = link.view.service(service) else { reply(.unknownAttribute); return finish() }
                client.findIncludes(range) { result in
                    let services = result.map { $0.map(\.service) }
                    link.view.add(services)
                    reply(
                        services.reply { .services($0.filter { uuids?.contains($0.uuid) ?? true }.map(\.discovered)) })
                    finish()
                }
            }
        case .discoverCharacteristics(_, let service, let uuids):
            client.enqueue { finish in
                guard let range = link.view.service(service) else { reply(.unknownAttribute); return finish() }
                client.findCharacteristics(range) { result in
                    link.view.add(result, in: range)
                    reply(
                        result.reply {
                            .characteristics($0.filter { uuids?.contains($0.uuid) ?? true }.map(\.discovered))
                        })
                    finish()
                }
            }
        case .discoverDescriptors(_, let characteristic):
            client.enqueue { finish in
                self.findDescriptors(of: characteristic, on: link) { result in
                    reply(result.reply { .descriptors($0.map(\.discovered)) })
                    finish()
                }
            }
        case .read(_, let attribute):
            client.enqueue { finish in
                client.readValue(attribute.handle) { result in
                    reply(result.reply { .value($0) })
                    finish()
                }
            }
        case .write(_, let attribute, let value, let kind):
            write(value, to: attribute, kind, on: link, reply: reply)
        case .setNotifying(_, let attribute, let isOn, _):
            setNotifying(attribute, isOn, on: link, reply: reply)
        }
    }

    // MARK: Writing

    private func write(
        _ value: Bytes, to attribute: AttributeID, _ kind: WriteKind, on link: VirtualLink, reply: @escaping Reply
    ) {
        // The stack keeps the client configuration to itself, as CoreBluetooth and BlueZ do.
        if link.view.isConfiguration(attribute) { return reply(.failure(.unsupported)) }
        switch kind {
        case .withResponse:
            guard value.count <= 512 else { return reply(.failure(.att(.invalidAttributeValueLength))) }
            link.client.enqueue { finish in
                link.client.writeValue(attribute.handle, value) { error in
                    reply(error.map { .failure(.att($0)) } ?? .success(.done))
                    finish()
                }
            }
        case .withoutResponse, .withoutResponseOverSocket:
            let room = link.maximumTransmissionUnit - 3
            guard value.count <= room else {
                let failure = BackendFailure(
                    name: "VirtualRadio.ValueTooLong",
                    message: "\(value.count) bytes are too many to be sent without a response: the link takes \(room)")
                return reply(.failure(.backend(failure)))
            }
            link.sendCommand(attribute.handle, value) { reply(.success(.done)) }
        }
    }

    // MARK: Subscribing

    func setNotifying(_ attribute: AttributeID, _ isOn: Bool, on link: VirtualLink, reply: @escaping Reply) {
        let client = link.client
        client.enqueue { finish in
            func end(_ result: Result<CentralReply, OperationFailure>) {
                reply(result)
                finish()
            }
            self.findDescriptors(of: attribute, on: link) { result in
                switch result {
                case .failure(let error): end(.failure(.att(error)))
                case .success(let descriptors):
                    guard let configuration = descriptors.first(where: { $0.uuid == .clientConfiguration }),
                        let properties = link.view.properties(attribute)
                    else { return end(.failure(.unsupported)) }
                    let bits: UInt8 = !isOn ? 0 : properties.contains(.notify) ? 1 : 2
                    client.writeValue(configuration.handle, [bits, 0]) { error in
                        end(error.map { .failure(.att($0)) } ?? .success(.done))
                    }
                }
            }
        }
    }

    /// The descriptors of a characteristic: known ones at once, unknown ones from the peer.
    private func findDescriptors(
        of characteristic: AttributeID, on link: VirtualLink,
        then: @escaping (Result<[InformationEntry], ATTError>) -> Void
    ) {
        guard let range = link.view.characteristic(characteristic) else { return then(.failure(.invalidHandle)) }
        if let known = link.view.descriptors(characteristic) { return then(.success(known)) }
        guard !range.isEmpty else {
            link.view.add(.success([]), of: characteristic)
            return then(.success([]))
        }
        link.client.findInformation(range.first...range.last) { result in
            link.view.add(result, of: characteristic)
            then(result)
        }
    }

    // MARK: The adapter's memory

    private func knownPeripheral(_ identifier: PeerIdentifier) -> KnownPeripheral? {
        guard var known = adapter.known(identifier) else { return nil }
        known.isConnected = adapter.links.contains { $0.identifier == identifier }
        known.isBonded = ether.isBonded(adapter.address, with: identifier)
        return known
    }

    private func connectedPeripherals(with services: [BluetoothUUID]) -> [KnownPeripheral] {
        adapter.links.filter { link in
            services.isEmpty || link.peer.server.hasPrimaryService(among: services)
        }.map { link in
            knownPeripheral(link.identifier)
                ?? KnownPeripheral(id: link.identifier, name: link.peer.name, isConnected: true)
        }
    }
}

extension Result where Success == CentralReply, Failure == OperationFailure {
    fileprivate static var unknownAttribute: Self { .failure(.att(.invalidHandle)) }
}

extension Result where Failure == ATTError {
    fileprivate func reply(_ make: (Success) -> CentralReply) -> Result<CentralReply, OperationFailure> {
        map(make).mapError { .att($0) }
    }
}

extension ServiceEntry {
    var discovered: DiscoveredService {
        DiscoveredService(id: AttributeID(handle: start), uuid: uuid, isPrimary: isPrimary)
    }
}

extension CharacteristicEntry {
    var discovered: DiscoveredCharacteristic {
        DiscoveredCharacteristic(id: AttributeID(handle: value), uuid: uuid, properties: properties)
    }
}

extension InformationEntry {
    var discovered: DiscoveredDescriptor { DiscoveredDescriptor(id: AttributeID(handle: handle), uuid: uuid) }
}
