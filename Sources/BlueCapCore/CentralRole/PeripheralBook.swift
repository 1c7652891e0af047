// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The peripherals that a manager remembers, with the only references to their records.
///
/// Touched on the manager only.
final class PeripheralBook {
    private let published: PublishedCentralState
    private let maximum: Int
    private var records: OrderedTable<PeerIdentifier, PeripheralRecord> = [:]
    /// The record of the peripheral of which the last value came.
    private var latest: PeripheralRecord?

    /// Creates a book.
    ///
    /// - Parameters:
    ///   - published: Where the peripherals are published.
    ///   - maximum: The number of peripherals beyond which those without a connection are forgotten.
    init(_ published: PublishedCentralState, maximum: Int) { (self.published, self.maximum) = (published, maximum) }

    /// All records, in the order of their making.
    var all: [PeripheralRecord] { records.values }

    /// The records of the peripherals that the app has used.
    var used: [PeripheralRecord] { records.values.filter(\.isUsed) }

    /// Whether the next peripheral takes the place of another.
    var isFull: Bool { records.count >= maximum }

    /// The record of a peripheral that is known.
    func known(_ id: PeerIdentifier) -> PeripheralRecord? { records[id] }

    /// The record of a peripheral that the caller holds; nil if it was forgotten.
    func known(_ peripheral: Peripheral) -> PeripheralRecord? {
        guard let record = records[peripheral.identifier], record.peripheral === peripheral else { return nil }
        return record
    }

    /// The record of a peripheral that is known; that of the last one is at hand, as values come many in a row.
    func recent(_ id: PeerIdentifier) -> PeripheralRecord? {
        if let latest, latest.peripheral.identifier == id { return latest }
        latest = records[id]
        return latest
    }

    /// The record of a peripheral, made at its first sighting or retrieval.
    func record(for id: PeerIdentifier, _ owner: isolated some CentralOwner) -> PeripheralRecord {
        if let record = records[id] { return record }
        let held = published.facts.withLock { $0.forgotten.take(id) }
        return adopt(held ?? owner.makePeripheral(id), owner)
    }

    /// The record of a peripheral that the caller holds: one that was forgotten meanwhile is taken in again.
    func record(
        of peripheral: Peripheral, _ owner: isolated some CentralOwner
    ) throws(PeripheralError) -> PeripheralRecord {
        if owner.isInvalidated { throw .invalidated }
        guard let record = records[peripheral.identifier] else {
            published.facts.withLock { _ = $0.forgotten.take(peripheral.identifier) }
            return adopt(peripheral, owner)
        }
        if record.peripheral !== peripheral { throw .invalidated }
        return record
    }

    private func adopt(_ peripheral: Peripheral, _ owner: isolated some CentralOwner) -> PeripheralRecord {
        makeRoom(owner)
        let record = PeripheralRecord(peripheral)
        records[peripheral.identifier] = record
        owner.meter.change(.knownPeripherals, by: 1)
        published.facts.withLock { $0.peripherals[peripheral.identifier] = peripheral }
        return record
    }

    /// Forgets a peripheral that has no connection and no attempt at one.
    func forget(_ id: PeerIdentifier, reportsLoss: Bool = false, _ owner: isolated some CentralOwner) {
        guard let record = records.removeValue(forKey: id) else { return }
        latest = nil
        owner.meter.change(.knownPeripherals, by: -1)
        published.facts.withLock { facts in
            facts.peripherals[id] = nil
            facts.forgotten.add(record.peripheral)
        }
        owner.scans.forget(id, reportsLoss: reportsLoss, owner)
    }

    /// Forgets the peripherals that were unseen for longest, when there are too many: several at once, since in crowded
    /// air every packet may bring a new one.
    private func makeRoom(_ owner: isolated some CentralOwner) {
        if !isFull { return }
        let idle = records.values.filter(\.isReplaceable)
        let oldest = idle.map { (seen: $0.lastSeen, id: $0.peripheral.identifier) }.sorted { $0 < $1 }
        for (_, id) in oldest.prefix(1 + maximum / 16) { forget(id, reportsLoss: true, owner) }
    }

    // MARK: Records of connections, by their attributes

    func record(of service: Service, _ owner: isolated some CentralOwner) throws(ServiceError) -> PeripheralRecord {
        guard let peripheral = service.peripheral else { throw .unconfigured }
        if owner.isInvalidated { throw .invalidated }
        if owner.state != .poweredOn { throw ServiceError(owner.radio.reason) }
        guard let record = records[peripheral.identifier], record.link == .connected else { throw .disconnected }
        if record.database.services[service.id] !== service { throw .notDiscovered(service.uuid) }
        return record
    }

    func record(of characteristic: Characteristic, _ owner: isolated some CentralOwner) throws(CharacteristicError)
        -> PeripheralRecord
    {
        guard let peripheral = characteristic.peripheral else { throw .unconfigured }
        let record = try connectedRecord(of: peripheral, owner)
        if record.database.characteristics[characteristic.id] !== characteristic {
            throw .notDiscovered(characteristic.uuid)
        }
        return record
    }

    func record(of descriptor: Descriptor, _ owner: isolated some CentralOwner) throws(CharacteristicError)
        -> PeripheralRecord
    {
        guard let peripheral = descriptor.peripheral else { throw .unconfigured }
        let record = try connectedRecord(of: peripheral, owner)
        if !record.database.descriptors.contains(descriptor.id) { throw .notDiscovered(descriptor.uuid) }
        return record
    }

    private func connectedRecord(of peripheral: Peripheral, _ owner: isolated some CentralOwner)
        throws(CharacteristicError) -> PeripheralRecord
    {
        if owner.isInvalidated { throw .invalidated }
        if owner.state != .poweredOn { throw CharacteristicError(owner.radio.reason) }
        guard let record = records[peripheral.identifier], record.link == .connected else { throw .disconnected }
        return record
    }
}

/// Peripherals that a manager has forgotten, without keeping them: a peripheral has one object for as long as the app
/// holds it.
struct ForgottenPeripherals {
    private struct Entry {
        weak var peripheral: Peripheral?
    }

    private var entries: OrderedTable<PeerIdentifier, Entry> = [:]
    private var pruningCount = 64

    /// The peripherals that the app still holds.
    var held: [Peripheral] { entries.values.compactMap(\.peripheral) }

    mutating func add(_ peripheral: Peripheral) {
        entries[peripheral.identifier] = Entry(peripheral: peripheral)
        if entries.count < pruningCount { return }
        entries = entries.filter { $0.value.peripheral != nil }
        pruningCount = max(64, 2 * entries.count)
    }

    mutating func take(_ id: PeerIdentifier) -> Peripheral? { entries.removeValue(forKey: id)?.peripheral }
}
