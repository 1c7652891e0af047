// SPDX-License-Identifier: MIT

import BlueCapSerDe

extension Advertisement {
    /// The number of bytes of the advertising packet, with the name only in extended advertising.
    ///
    /// It counts the flags, 16-, 32- and 128-bit service UUIDs, service and manufacturer data, appearance, transmit
    /// power and ``structures``, each with its length and type.
    public var packetByteCount: Int {
        var count = kind == .connectable || isDiscoverable == true ? 3 : 0
        count += Self.listByteCount(serviceUUIDs) + Self.listByteCount(solicitedServiceUUIDs)
        for (uuid, data) in serviceData { count += 2 + uuid.advertisedByteCount + data.count }
        for data in manufacturerData.values { count += 4 + data.count }
        if appearance != nil { count += 4 }
        if includesTxPower { count += 3 }
        if secondaryPHY != nil, let localName { count += 2 + localName.utf8.count }
        return count + structures.reduce(0) { $0 + 2 + $1.data.count }
    }

    /// The number of bytes of the scan response: the name and ``scanResponse``; 0 in extended advertising.
    public var scanResponseByteCount: Int {
        guard secondaryPHY == nil else { return 0 }
        return (localName.map { 2 + $0.utf8.count } ?? 0) + scanResponse.reduce(0) { $0 + 2 + $1.data.count }
    }

    /// Returns the number of bytes of a list of UUIDs. UUIDs of the same size share a structure of at most 254 bytes,
    /// or several structures if they exceed it.
    private static func listByteCount(_ uuids: [BluetoothUUID]) -> Int {
        [2, 4, 16].reduce(0) { sum, size in
            let count = uuids.count { $0.advertisedByteCount == size }
            let structures = (count + 254 / size - 1) / (254 / size)
            return sum + 2 * structures + count * size
        }
    }
}

extension BluetoothUUID {
    /// The number of bytes of the UUID in an advertising packet: 2, 4 or 16.
    fileprivate var advertisedByteCount: Int { uint16 != nil ? 2 : uint32 != nil ? 4 : 16 }
}
