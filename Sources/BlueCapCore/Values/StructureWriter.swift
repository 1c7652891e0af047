// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Appends AD structures to each other: each is a length, a type and data (Core Specification, Vol 3, Part C, 11; Core
/// Specification Supplement, Part A).
struct StructureWriter {
    /// The maximum number of bytes of data in a structure, whose length is one byte.
    private static let capacity = 254

    private(set) var bytes: [UInt8] = []

    /// Writes a structure. Data that are too long are cut off.
    mutating func put(_ type: UInt8, _ data: [UInt8]) {
        let data = data.prefix(Self.capacity)
        bytes += [UInt8(data.count + 1), type] + data
    }

    /// Writes the fields of an advertisement, except its name and its other structures.
    mutating func put(_ fields: PeripheralAdvertisements) {
        if let flags = fields.flags { put(0x01, [flags.rawValue]) }
        put(fields.serviceUUIDs, types: [0x03, 0x05, 0x07])
        put(fields.solicitedServiceUUIDs, types: [0x14, 0x1F, 0x15])
        for (uuid, data) in fields.serviceData.sorted(by: { $0.key < $1.key }) {
            let bytes = Array(uuid.littleEndianBytes)
            put(bytes.count == 2 ? 0x16 : bytes.count == 4 ? 0x20 : 0x21, bytes + data)
        }
        for (company, data) in fields.manufacturerData.sorted(by: { $0.key < $1.key }) {
            put(0xFF, [UInt8(company & 0xFF), UInt8(company >> 8)] + data)
        }
        if let appearance = fields.appearance { put(0x19, [UInt8(appearance & 0xFF), UInt8(appearance >> 8)]) }
        if let txPower = fields.txPower { put(0x0A, [UInt8(bitPattern: Int8(clamping: txPower))]) }
    }

    /// Writes one structure for each size of UUID, 2, 4 and 16 bytes, and several structures for a list that is too
    /// long.
    private mutating func put(_ uuids: [BluetoothUUID], types: [UInt8]) {
        let all = uuids.map { Array($0.littleEndianBytes) }
        for (size, type) in zip([2, 4, 16], types) {
            let fitting = all.filter { $0.count == size }
            let capacity = Self.capacity / size
            for start in stride(from: 0, to: fitting.count, by: capacity) {
                put(type, fitting[start...].prefix(capacity).flatMap { $0 })
            }
        }
    }
}
