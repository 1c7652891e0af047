// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import CoreBluetooth
import Foundation

extension CoreBluetoothCentralBackend {
    /// Makes the delegate of CoreBluetooth's manager and of all peripherals.
    func makeDelegate() -> any CBCentralManagerDelegate & CBPeripheralDelegate { CentralDelegate(self) }
}

/// Enters the backend with each callback of CoreBluetooth, at once and on the queue on which the callback comes.
///
/// The methods stand in the body of the class, where the compiler points at one that nearly matches. C12: of both
/// callbacks for the end of a connection the one with a timestamp is here, because only one is ever called.
private final class CentralDelegate: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private weak let backend: CoreBluetoothCentralBackend?

    init(_ backend: CoreBluetoothCentralBackend) { self.backend = backend }

    // MARK: The manager

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        backend?.onExecutor { $0.radio.stateChanged($0) }
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        backend?.onExecutor(with: dict) { $0.restored($1) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        backend?.onExecutor(with: (peripheral, advertisementData, rssi)) { $0.radio.sighted($1.0, $1.1, $1.2, $0) }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        backend?.onExecutor(with: peripheral) { $0.links.connected($1, $0) }
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: peripheral) { $0.links.failed($1, error, $0) }
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: peripheral) { $0.links.disconnected($1, error, $0) }
    }

    // MARK: A peripheral

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) {
        backend?.onExecutor(with: peripheral) { $0.nameChanged($1) }
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        backend?.onExecutor(with: (peripheral, invalidatedServices)) { backend, found in
            backend.links.on(found.0, backend) { $0.servicesChanged(found.1, backend) }
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI rssi: NSNumber, error: (any Error)?) {
        let (strength, error) = (CentralRadio.strength(rssi), error.map { PlatformError($0) })
        backend?.onExecutor(with: peripheral) { backend, peripheral in
            backend.links.on(peripheral, backend) { $0.strengthRead(strength, error, backend) }
        }
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        backend?.onExecutor(with: peripheral) { backend, peripheral in
            backend.links.on(peripheral, backend) { $0.commands.ready(backend) }
        }
    }

    // MARK: Its database

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: peripheral) { backend, peripheral in
            backend.links.on(peripheral, backend) { $0.database.servicesFound(error, backend) }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: (peripheral, service)) { backend, found in
            backend.links.on(found.0, backend) { $0.database.includedServicesFound(found.1, error, backend) }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: (peripheral, service)) { backend, found in
            backend.links.on(found.0, backend) { $0.database.characteristicsFound(found.1, error, backend) }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: (peripheral, characteristic)) { backend, found in
            backend.links.on(found.0, backend) { $0.database.descriptorsFound(found.1, error, backend) }
        }
    }

    // MARK: Its values

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        // The error is no capture, so that a value allocates nothing.
        backend?.onExecutor(with: (peripheral, characteristic, error.map { PlatformError($0) })) { backend, found in
            backend.valueArrived(found.0, found.1, found.2)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: (peripheral, characteristic)) { backend, found in
            backend.links.on(found.0, backend) { $0.values.written(found.1, error, backend) }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: (peripheral, characteristic)) { backend, found in
            backend.links.on(found.0, backend) { $0.values.notifyingChanged(found.1, error, backend) }
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: (peripheral, descriptor)) { backend, found in
            backend.links.on(found.0, backend) { $0.values.arrived(found.1, error, backend) }
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: (peripheral, descriptor)) { backend, found in
            backend.links.on(found.0, backend) { $0.values.written(found.1, error, backend) }
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: (peripheral, channel)) { backend, found in
            guard let link = backend.links.connected(found.0) else {
                found.1?.refuse()
                return backend.countStray()
            }
            link.openings.opened(found.1, error, backend)
        }
    }
}
#endif
