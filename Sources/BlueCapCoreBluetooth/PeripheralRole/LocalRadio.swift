// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
import BlueCapCore
import CoreBluetooth

/// CoreBluetooth's manager of the peripheral role, and its state.
final class LocalRadio {
    typealias Backend = CoreBluetoothPeripheralBackend

    private var manager: CBPeripheralManager?
    private(set) var state = ManagerState.unknown
    /// Whether the services and the advertisement were given up since the radio was on.
    private var isCleared = false

    /// The manager while it takes commands; it ignores them in any other state, without a callback (M1).
    var poweredOn: CBPeripheralManager? { manager?.state == .poweredOn && state == .poweredOn ? manager : nil }

    /// Makes the manager. M2: this asks the user for the permission, so it is not done before the backend is used.
    func begin(_ backend: isolated Backend) {
        if let failure = backend.usageFailure {
            state = .unauthorized
            return backend.report(.stateChanged(state, failure))
        }
        var options: [String: Any] = [CBPeripheralManagerOptionShowPowerAlertKey: backend.options.showsPowerAlert]
        options[CBPeripheralManagerOptionRestoreIdentifierKey] = backend.restoreIdentifier
        manager = CBPeripheralManager(delegate: backend.delegate, queue: backend.queue, options: options)
    }

    /// Takes the manager out of use. M9: CoreBluetooth has no call for that; no callback comes without a delegate.
    func end() {
        manager?.delegate = nil
        if let manager = poweredOn {
            manager.stopAdvertising()
            manager.removeAllServices()
        }
        manager = nil
    }

    /// M4: any state but `.poweredOn` ends subscriptions, accesses and requests.
    ///
    /// M6: in a state below `.poweredOff` CoreBluetooth has lost the services and the advertisement. With the radio off
    /// it keeps them as a rule, and does not report when it has not: they are taken away when the radio is on again,
    /// and the manager publishes them anew.
    func stateChanged(_ backend: isolated Backend) {
        guard let manager else { return }
        let former = state
        state = ManagerState(manager.state)
        if state != .poweredOn {
            backend.accesses.removeAll()
            backend.updates.removeAll()
            backend.publications.drop()
            // Before the first state there is nothing but restored services, which a radio that is off leaves as they
            // are.
            if former != .unknown || state.endsObjects && state != .unknown {
                isCleared = true
                backend.database.removeAll()
                backend.advertising.drop()
            }
        } else if isCleared {
            isCleared = false
            backend.advertising.halt(manager)
            manager.removeAllServices()
            backend.publications.clear(manager)
            backend.emit(.registrationsLost)
        }
        backend.emit(.stateChanged(state, state.failure))
    }
}
#endif
