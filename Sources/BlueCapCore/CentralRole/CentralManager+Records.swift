// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// Which peripherals the manager remembers.
extension CentralManager {
    /// The record of a peripheral, made at its first sighting or retrieval.
    func record(for id: PeerIdentifier) -> PeripheralRecord {
        if let record = records[id] { return record }
        let held = forgotten.withLock { $0.take(id) }
        return adopt(held ?? Peripheral(identifier: id, manager: self, clock: clock))
    }

    /// The record of a peripheral that is known; that of the last one is at hand, as values come many in a row.
    func knownRecord(_ id: PeerIdentifier) -> PeripheralRecord? {
        if let latestRecord, latestRecord.peripheral.identifier == id { return latestRecord }
        latestRecord = records[id]
        return latestRecord
    }

    /// The record of a peripheral that the caller holds: one that was forgotten meanwhile is taken in again.
    func record(of peripheral: Peripheral) throws(PeripheralError) -> PeripheralRecord {
        if isInvalidated { throw .invalidated }
        guard let record = records[peripheral.identifier] else {
            forgotten.withLock { _ = $0.take(peripheral.identifier) }
            return adopt(peripheral)
        }
        if record.peripheral !== peripheral { throw .invalidated }
        return record
    }

    private func adopt(_ peripheral: Peripheral) -> PeripheralRecord {
        makeRoom()
        let record = PeripheralRecord(peripheral)
        records[peripheral.identifier] = record
        meter.change(.knownPeripherals, by: 1)
        facts.withLock { $0.peripherals[peripheral.identifier] = peripheral }
        return record
    }

    /// Forgets a peripheral that has no connection and no attempt at one.
    func forget(_ id: PeerIdentifier, reportsLoss: Bool = false) {
        guard let record = records.removeValue(forKey: id) else { return }
        latestRecord = nil
        meter.change(.knownPeripherals, by: -1)
        facts.withLock { _ = $0.peripherals.removeValue(forKey: id) }
        forgotten.withLock { $0.add(record.peripheral) }
        forgetInScans(id, reportsLoss: reportsLoss)
    }

    /// Forgets the peripherals that were unseen for longest, when there are too many: several at once, since in crowded
    /// air every packet may bring a new one.
    private func makeRoom() {
        if records.count < maximumDiscoveredPeripherals { return }
        let idle = records.values.filter { $0.isForgettable && $0.subscriptions.isEmpty }
        let oldest = idle.map { (seen: $0.lastSeen, id: $0.peripheral.identifier) }.sorted { $0 < $1 }
        for (_, id) in oldest.prefix(1 + maximumDiscoveredPeripherals / 16) { forget(id, reportsLoss: true) }
    }
}

/// Peripherals that a manager has forgotten, without keeping them.
struct ForgottenPeripherals {
    private struct Entry {
        weak var peripheral: Peripheral?
    }

    private var entries: OrderedTable<PeerIdentifier, Entry> = [:]
    private var pruningCount = 64

    /// Those that somebody still holds.
    var held: [Peripheral] { entries.values.compactMap(\.peripheral) }

    mutating func add(_ peripheral: Peripheral) {
        entries[peripheral.identifier] = Entry(peripheral: peripheral)
        if entries.count < pruningCount { return }
        entries = entries.filter { $0.value.peripheral != nil }
        pruningCount = max(64, 2 * entries.count)
    }

    mutating func take(_ id: PeerIdentifier) -> Peripheral? { entries.removeValue(forKey: id)?.peripheral }
}
