// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth
import Foundation

/// The objects of peripherals, and the numbers of their attributes.
///
/// B11: CoreBluetooth forgets a discovered peripheral whose object is not kept. The objects of the last 1,024 sightings
/// are here, and a link keeps its own. Any other is retrieved by its identifier.
final class CentralObjects {
    private struct Known {
        let id: PeerIdentifier
        let peripheral: CBPeripheral
    }

    /// The number of peripherals whose objects, and whose numbers, are kept.
    private static let limit = 1_024

    private var known = RecentTable<UUID, Known>(limit: CentralObjects.limit)
    private var numbers = RecentTable<PeerIdentifier, AttributeNumbers>(limit: CentralObjects.limit)
    /// The objects that CoreBluetooth restored, until the manager connects to them.
    private var restored: [PeerIdentifier: CBPeripheral] = [:]

    /// Keeps the object of a peripheral.
    ///
    /// - Returns: Its identifier. B10: a UUID of this host alone.
    @discardableResult
    func remember(_ peripheral: CBPeripheral) -> PeerIdentifier {
        let uuid = peripheral.identifier
        if let entry = known.use(uuid), entry.peripheral === peripheral { return entry.id }
        let id = PeerIdentifier(uuid.uuidString)
        known.set(Known(id: id, peripheral: peripheral), for: uuid)
        return id
    }

    /// Keeps an object that CoreBluetooth restored. C7: without it a pending connection would be cancelled.
    func restore(_ peripheral: CBPeripheral) -> PeerIdentifier {
        let id = remember(peripheral)
        restored[id] = peripheral
        return id
    }

    /// Returns the object to connect to; nil if the system does not know the peripheral.
    func find(_ id: PeerIdentifier, _ manager: CBCentralManager) -> CBPeripheral? {
        if let peripheral = restored.removeValue(forKey: id) { return peripheral }
        return look(for: id, manager)
    }

    /// Returns the object of a peripheral, without a connection in view; nil if the system does not know it.
    func look(for id: PeerIdentifier, _ manager: CBCentralManager) -> CBPeripheral? {
        if let peripheral = restored[id] { return peripheral }
        guard let uuid = UUID(uuidString: id.text) else { return nil }
        if let entry = known.use(uuid) { return entry.peripheral }
        return manager.retrievePeripherals(withIdentifiers: [uuid]).first
    }

    /// Returns the peripherals that the system knows. D9: the others are left out.
    func retrieve(_ ids: [PeerIdentifier], _ manager: CBCentralManager) -> [KnownPeripheral] {
        let uuids = ids.compactMap { UUID(uuidString: $0.text) }
        if uuids.isEmpty { return [] }
        return manager.retrievePeripherals(withIdentifiers: uuids).map { peripheral in
            KnownPeripheral(
                id: remember(peripheral), name: peripheral.name, isConnected: peripheral.state == .connected)
        }
    }

    /// Returns the peripherals that are connected, by this program or by another, and have one of the services.
    func retrieveConnected(_ services: [BluetoothUUID], _ manager: CBCentralManager) -> [KnownPeripheral] {
        // D10: without services CoreBluetooth finds nothing. These four are those that nearly every peripheral has.
        let wanted: [BluetoothUUID] = services.isEmpty ? ["1800", "1801", "180A", "180F"] : services
        return manager.retrieveConnectedPeripherals(withServices: wanted.map(\.object)).map { peripheral in
            // C8: the state of the object is that of this program's own connection.
            KnownPeripheral(id: remember(peripheral), name: peripheral.name, isConnected: true)
        }
    }

    /// The numbers of a peripheral's attributes, which are the same in each of its connections (D6).
    func numbers(of id: PeerIdentifier) -> AttributeNumbers {
        if let found = numbers.use(id) { return found }
        let new = AttributeNumbers()
        numbers.set(new, for: id)
        return new
    }

    /// Cancels the restored connections that the manager has not taken up.
    func cancelRestored(_ manager: CBCentralManager?) {
        for peripheral in restored.values {
            peripheral.delegate = nil
            if manager?.state == .poweredOn { manager?.cancelPeripheralConnection(peripheral) }
        }
    }

    /// M5: forgets the objects, which are void; identifiers and numbers stay.
    func drop() {
        known.removeAll()
        restored = [:]
    }
}
#endif
