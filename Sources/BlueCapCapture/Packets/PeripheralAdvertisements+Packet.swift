// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension PeripheralAdvertisements {
    /// The types of AD structures that have fields of their own (Assigned Numbers, 2.3).
    private static let fieldTypes: Set<UInt8> = [
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x14, 0x15, 0x16, 0x19, 0x1F, 0x20, 0x21, 0xFF,
    ]

    /// The same without the structures that fields hold, and without the data that follows from the packet's type.
    var withoutRepetition: PeripheralAdvertisements {
        var copy = self
        copy.structures = structures.filter { !Self.fieldTypes.contains($0.type) }
        copy.isConnectable = nil
        return copy
    }

    /// The AD structures of an advertising packet, whatever their length together: a length, a type and data each. A
    /// list of UUIDs that is longer than a structure is in several, and a name that is, is shortened.
    var packet: [UInt8] {
        var packet: [UInt8] = []
        func put(_ type: UInt8, _ data: some Collection<UInt8>) {
            // A structure's length is a byte.
            let data = data.prefix(254)
            packet.append(UInt8(data.count + 1))
            packet.append(type)
            packet += data
        }
        func put(_ uuids: [BluetoothUUID], _ types: [UInt8]) {
            for (size, type) in zip([2, 4, 16], types) {
                let some = uuids.map(\.littleEndianBytes).filter { $0.count == size }
                for start in stride(from: 0, to: some.count, by: 254 / size) {
                    put(type, some[start...].prefix(254 / size).flatMap { $0 })
                }
            }
        }
        if let flags { put(0x01, [flags.rawValue]) }
        put(serviceUUIDs, [0x03, 0x05, 0x07])
        put(solicitedServiceUUIDs, [0x14, 0x1F, 0x15])
        for (uuid, data) in serviceData.sorted(by: { $0.key < $1.key }) {
            let bytes = uuid.littleEndianBytes
            put(bytes.count == 2 ? 0x16 : bytes.count == 4 ? 0x20 : 0x21, bytes + data)
        }
        for (company, data) in manufacturerData.sorted(by: { $0.key < $1.key }) {
            put(0xFF, [UInt8(company & 0xFF), UInt8(company >> 8)] + Array(data))
        }
        if let appearance { put(0x19, [UInt8(appearance & 0xFF), UInt8(appearance >> 8)]) }
        if let txPower { put(0x0A, [UInt8(bitPattern: Int8(clamping: txPower))]) }
        if let localName {
            var name = localName
            while name.utf8.count > 254 { name.unicodeScalars.removeLast() }
            put(name == localName ? 0x09 : 0x08, Array(name.utf8))
        }
        for structure in structures where !Self.fieldTypes.contains(structure.type) {
            put(structure.type, structure.data)
        }
        return packet
    }
}
