// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension PeripheralAdvertisements {
    /// Creates the content of advertising packets, each a sequence of AD structures: a length, a type, and data (Core
    /// Specification, Vol 3, Part C, 11; Core Specification Supplement, Part A).
    ///
    /// Packets come from any device and are not trusted: a structure that is cut off ends its packet, and data of a
    /// wrong size are kept in ``structures`` only. If a field occurs twice, the last is used, but a shortened name does
    /// not replace the complete name, and an empty name replaces none. Lists are joined.
    public init(packets: [Bytes]) {
        self.init()
        var isNameWhole = false
        for packet in packets { add(packet, &isNameWhole) }
    }

    private mutating func add(_ packet: Bytes, _ isNameWhole: inout Bool) {
        var rest = Array(packet)[...]
        while let length = rest.popFirst(), length > 0, rest.count >= Int(length) {
            let type = rest.removeFirst()
            add(ADStructure(type: type, data: Bytes(rest.prefix(Int(length) - 1))), &isNameWhole)
            rest = rest.dropFirst(Int(length) - 1)
        }
    }

    private mutating func add(_ structure: ADStructure, _ isNameWhole: inout Bool) {
        structures.append(structure)
        let data = Array(structure.data)
        switch structure.type {
        case 0x01: if let first = data.first { flags = AdvertisingFlags(rawValue: first) }
        case 0x02, 0x03: serviceUUIDs += Self.uuids(data, size: 2)
        case 0x04, 0x05: serviceUUIDs += Self.uuids(data, size: 4)
        case 0x06, 0x07: serviceUUIDs += Self.uuids(data, size: 16)
        case 0x08, 0x09:
            let isWhole = structure.type == 0x09
            guard isWhole || !isNameWhole, let name = String(decoding: data, as: UTF8.self).asAdvertisedName else {
                break
            }
            (localName, isNameWhole) = (name, isWhole)
        case 0x0A: if let first = data.first, data.count == 1 { txPower = Int(Int8(bitPattern: first)) }
        case 0x14: solicitedServiceUUIDs += Self.uuids(data, size: 2)
        case 0x1F: solicitedServiceUUIDs += Self.uuids(data, size: 4)
        case 0x15: solicitedServiceUUIDs += Self.uuids(data, size: 16)
        case 0x16: addServiceData(data, size: 2)
        case 0x20: addServiceData(data, size: 4)
        case 0x21: addServiceData(data, size: 16)
        case 0x19: if data.count == 2 { appearance = UInt16(data[0]) | UInt16(data[1]) << 8 }
        case 0xFF:
            if data.count >= 2 { manufacturerData[UInt16(data[0]) | UInt16(data[1]) << 8] = Bytes(data[2...]) }
        default: break
        }
    }

    private mutating func addServiceData(_ data: [UInt8], size: Int) {
        guard let uuid = Self.uuids(Array(data.prefix(size)), size: size).first else { return }
        serviceData[uuid] = Bytes(data[size...])
    }

    private static func uuids(_ data: [UInt8], size: Int) -> [BluetoothUUID] {
        stride(from: 0, to: data.count - size + 1, by: size).compactMap {
            try? BluetoothUUID(littleEndianBytes: data[$0..<$0 + size])
        }
    }
}

extension PeripheralAdvertisements {
    /// The types of AD structures that have fields of their own (Assigned Numbers, 2.3).
    private static let fieldTypes: Set<UInt8> = [
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x14, 0x15, 0x16, 0x19, 0x1F, 0x20, 0x21, 0xFF,
    ]

    /// The fields of the AD structures themselves, with those structures that have none.
    package var parsed: PeripheralAdvertisements {
        var parsed = PeripheralAdvertisements()
        var isNameWhole = false
        for structure in structures { parsed.add(structure, &isNameWhole) }
        return parsed.withoutRepetition
    }

    /// The fields without the structures that repeat them, and without the type of the packet.
    var withoutRepetition: PeripheralAdvertisements {
        var copy = self
        copy.structures = structures.filter { !Self.fieldTypes.contains($0.type) }
        copy.isConnectable = nil
        return copy
    }

    /// The AD structures of an advertising packet of any length. A list of UUIDs that is longer than a structure is in
    /// several, and a name that is longer is shortened.
    package var packet: [UInt8] {
        var packet = StructureWriter()
        packet.put(self)
        if let localName {
            var name = localName
            while name.utf8.count > 254 { name.unicodeScalars.removeLast() }
            packet.put(name == localName ? 0x09 : 0x08, Array(name.utf8))
        }
        for structure in withoutRepetition.structures { packet.put(structure.type, Array(structure.data)) }
        return packet.bytes
    }
}
