// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth

extension CoreBluetoothCentralBackend {
    /// CoreBluetooth restores the state of the program that the system ended. R2: this is the first callback, before
    /// any state.
    ///
    /// R3: there are peripherals that were connected or wanted, with their services and with notifications, and a scan.
    /// R4: one that is connected gets no callback for it, and one that is being made may stay so for good; the manager
    /// calls `connect` for each.
    func restored(_ dictionary: [String: Any]) {
        guard radio.state == .unknown else { return countStray() }
        var contents = CentralRestoration()
        for peripheral in dictionary[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? [] {
            let id = objects.restore(peripheral)
            peripheral.delegate = delegate
            earlyValues.expect(id)
            if contents.peripherals.contains(where: { $0.id == id }) { continue }
            let name = CentralLink.Name(id: id, number: 0)
            let link = CentralLink(name, peripheral, objects.numbers(of: id), channels)
            contents.peripherals.append(
                CentralRestoration.Peripheral(
                    id: id, name: peripheral.name, isConnected: peripheral.state == .connected,
                    subscriptions: link.database.subscriptions(self)))
        }
        // A scan for all has no services here, and one without options no options.
        let services = dictionary[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID]
        let options = dictionary[CBCentralManagerRestoredStateScanOptionsKey] as? [String: Any]
        if services != nil || options != nil {
            let allowsDuplicates = options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool ?? false
            contents.scans = [
                CentralRestoration.Scan(
                    services: (services ?? []).compactMap { BluetoothUUID($0) }.sorted(),
                    options: ScanOptions(allowsDuplicates: allowsDuplicates))
            ]
        }
        emit(.restored(contents))
        // The system has started the program, in the background as a rule, without a notification for that. One comes
        // when the user opens the app.
        if radio.isInBackground != false { emit(.sightingsCoalesced(true)) }
    }
}
#endif
