// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
public import BlueCapCore
import BlueCapSerDe
import CoreBluetooth

/// The operations that the manager asks for.
extension CoreBluetoothCentralBackend {
    /// Begins an operation.
    public func perform(_ request: CentralRequest) { commanded { begin(request) } }

    private func begin(_ request: CentralRequest) {
        let id = request.id
        guard let manager = radio.poweredOn else { return answer(id, .failure(.poweredOff)) }
        switch request.operation {
        case .retrieve(let peripherals):
            answer(id, .success(.peripherals(objects.retrieve(peripherals, manager))))
        case .retrieveConnected(let services):
            answer(id, .success(.peripherals(connected(services, manager))))
        case .readRSSI(let peripheral):
            onLink(peripheral, id) { $0.readStrength(id) }
        case .discoverServices(let peripheral, let uuids):
            onLink(peripheral, id) { $0.database.discoverServices(uuids, id) }
        case .discoverIncludedServices(let peripheral, let service, let uuids):
            onLink(peripheral, id) { $0.database.discoverIncludedServices(of: service, uuids, id, self) }
        case .discoverCharacteristics(let peripheral, let service, let uuids):
            onLink(peripheral, id) { $0.database.discoverCharacteristics(of: service, uuids, id, self) }
        case .discoverDescriptors(let peripheral, let characteristic):
            onLink(peripheral, id) { $0.database.discoverDescriptors(of: characteristic, id, self) }
        case .read(let peripheral, let attribute):
            onLink(peripheral, id) { $0.values.read(attribute, id, self) }
        case .write(let peripheral, let attribute, let value, .withResponse):
            onLink(peripheral, id) { $0.values.write(value, to: attribute, id, self) }
        case .write(let peripheral, let attribute, let value, .withoutResponse),
            .write(let peripheral, let attribute, let value, .withoutResponseOverSocket):
            onLink(peripheral, id) { $0.commands.add(value, to: attribute, id, self) }
        case .setNotifying(let peripheral, let attribute, let isOn, _):
            onLink(peripheral, id) { $0.values.setNotifying(isOn, of: attribute, id, self) }
        case .setConnectionParameters: answer(id, .failure(.unsupported))
        case .pair, .cancelPairing, .removeBond:
            answer(id, .failure(.backend(.pairing)))
        }
    }

    private func onLink(_ peripheral: PeerIdentifier, _ request: RequestID, _ body: (CentralLink) -> Void) {
        guard let link = links[peripheral], link.isUp else { return answer(request, .failure(.disconnected)) }
        body(link)
    }

    /// The peripherals that the system has connections to. Without services, those of this program are listed in any
    /// case.
    private func connected(_ services: [BluetoothUUID], _ manager: CBCentralManager) -> [KnownPeripheral] {
        var found = objects.retrieveConnected(services, manager)
        guard services.isEmpty else { return found }
        for peripheral in links.connected {
            let id = objects.remember(peripheral)
            if found.contains(where: { $0.id == id }) { continue }
            found.append(KnownPeripheral(id: id, name: peripheral.name, isConnected: true))
        }
        return found
    }

    /// Answers a request for an attribute that is not there, or not any more.
    func refuseGone(_ request: RequestID) { answer(request, .failure(.att(.invalidHandle))) }

    // MARK: Callbacks

    /// Counts a callback that answers no request, or is about an object that is not known.
    func countStray() { statistics.strayCallbacks += 1 }

    /// A value of a characteristic has come, or could not be read.
    func valueArrived(_ peripheral: CBPeripheral, _ characteristic: CBCharacteristic, _ error: PlatformError?) {
        if let link = links.connected(peripheral), let id = link.database.id(of: characteristic) {
            return link.values.arrived(characteristic, id, error, self)
        }
        // E2: the value is copied here, because the next callback overwrites it.
        guard error == nil, let value = characteristic.value,
            earlyValues.hold(Bytes(value), of: characteristic, objects.remember(peripheral))
        else { return countStray() }
    }

    /// B6: the name that the system knows has changed.
    func nameChanged(_ peripheral: CBPeripheral) {
        guard radio.state == .poweredOn, let name = peripheral.name else { return }
        emit(.nameChanged(objects.remember(peripheral), name))
    }
}

extension BackendFailure {
    /// F1: pairing belongs to the system.
    static var pairing: BackendFailure {
        BackendFailure(
            name: "CoreBluetooth.pairing", message: "the system alone pairs and forgets",
            advice: "read or write a characteristic that needs security, and the system asks the user; keys are "
                + "forgotten in the system's Bluetooth settings")
    }
}
#endif
