// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
import BlueCapCore
import CoreBluetooth
import Foundation

extension CoreBluetoothPeripheralBackend {
    /// Makes the delegate of CoreBluetooth's manager.
    func makeDelegate() -> any CBPeripheralManagerDelegate { PeripheralDelegate(self) }
}

/// Enters the backend with each callback of CoreBluetooth, at once and on the queue on which the callback comes.
///
/// The methods stand in the body of the class, where the compiler points at one that nearly matches.
private final class PeripheralDelegate: NSObject, CBPeripheralManagerDelegate {
    private weak let backend: CoreBluetoothPeripheralBackend?

    init(_ backend: CoreBluetoothPeripheralBackend) { self.backend = backend }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        backend?.onExecutor { $0.radio.stateChanged($0) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        backend?.onExecutor(with: dict) { $0.restored($1) }
    }

    // MARK: Services and the advertisement

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor { $0.advertising.started(error, $0) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: service) { $0.database.added($1, error, $0) }
    }

    // MARK: Centrals

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
    ) {
        backend?.onExecutor(with: (central, characteristic)) { $0.updates.subscribed($1.0, $1.1, $0) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        backend?.onExecutor(with: (central, characteristic)) { $0.updates.unsubscribed($1.0, $1.1, $0) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        backend?.onExecutor(with: request) { $0.accesses.reads($1, $0) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        backend?.onExecutor(with: requests) { $0.accesses.writes($1, $0) }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        backend?.onExecutor { $0.updates.pump($0) }
    }

    // MARK: Channels of L2CAP

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel psm: CBL2CAPPSM, error: (any Error)?
    ) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor { $0.publications.published(psm, error, $0) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel psm: CBL2CAPPSM, error: (any Error)?
    ) {
        backend?.onExecutor { $0.publications.unpublished(psm, $0) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        let error = error.map { PlatformError($0) }
        backend?.onExecutor(with: channel) { $0.publications.opened($1, error, $0) }
    }
}
#endif
