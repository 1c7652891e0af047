// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

extension CentralManager {
    /// The characteristics of present connections as they are discovered: those that were by now first, in the order of
    /// their connections and their databases, then each whenever a discovery finds it, so after a reconnection again.
    ///
    /// Ends with the manager, when released, and for a cancelled task.
    ///
    /// - Parameters:
    ///   - uuid: Only those with the UUID; nil for all.
    ///   - service: Only those in a service with the UUID; nil for any.
    ///   - capacity: How many are kept for a slow loop.
    public func discoveredCharacteristics(
        withUUID uuid: BluetoothUUID? = nil, in service: BluetoothUUID? = nil,
        capacity: StreamCapacity = .newest(1024)
    ) -> AsyncStream<Characteristic> {
        let isWanted = { @Sendable (characteristic: Characteristic) in
            (uuid == nil || characteristic.uuid == uuid) && (service == nil || characteristic.serviceUUID == service)
        }
        let known = book.all.flatMap { $0.characteristics.values.filter(isWanted).sorted { $0.id < $1.id } }
        return databases.discovered.stream(capacity: capacity, first: known, where: isWanted)
    }
}
