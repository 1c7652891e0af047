// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The packets of an advertisement, for backends that put them together themselves.
extension Advertisement {
    /// Returns the AD structures of the advertising packet, without the name (Core Specification, Vol 3, Part C, 11;
    /// Core Specification Supplement, Part A). They have ``packetByteCount`` bytes.
    ///
    /// The order is: flags, services, solicited services, service data, manufacturer data, appearance, transmit power,
    /// and then ``structures``. A structure holds 254 bytes at most; longer data are cut off there. Such a packet is
    /// too long for every radio, so a backend refuses the advertisement by its length before.
    ///
    /// - Parameter transmitPower: The power with which the radio sends, in dBm. It is used when ``includesTxPower`` is
    ///   set and ``txPower`` is nil.
    public func packet(transmitPower: Int = 0) -> Bytes {
        var packet = StructureWriter()
        let isDiscoverable = isDiscoverable ?? (kind == .connectable)
        if kind == .connectable || isDiscoverable {
            let flags: AdvertisingFlags = isDiscoverable ? [.generalDiscoverable, .noBREDR] : .noBREDR
            packet.put(0x01, [flags.rawValue])
        }
        packet.put(serviceUUIDs, types: [0x03, 0x05, 0x07])
        packet.put(solicitedServiceUUIDs, types: [0x14, 0x1F, 0x15])
        for (uuid, data) in serviceData.sorted(by: { $0.key < $1.key }) {
            let bytes = Array(uuid.littleEndianBytes)
            packet.put(bytes.count == 2 ? 0x16 : bytes.count == 4 ? 0x20 : 0x21, bytes + data)
        }
        for (company, data) in manufacturerData.sorted(by: { $0.key < $1.key }) {
            packet.put(0xFF, [UInt8(company & 0xFF), UInt8(company >> 8)] + data)
        }
        if let appearance { packet.put(0x19, [UInt8(appearance & 0xFF), UInt8(appearance >> 8)]) }
        if includesTxPower { packet.put(0x0A, [UInt8(bitPattern: Int8(clamping: txPower ?? transmitPower))]) }
        for structure in structures { packet.put(structure.type, Array(structure.data)) }
        return Bytes(packet.bytes)
    }

    /// The AD structures of the scan response: the name, and then ``scanResponse``. They have ``scanResponseByteCount``
    /// bytes.
    public var scanResponsePacket: Bytes {
        var packet = StructureWriter()
        if let localName { packet.put(0x09, Array(localName.utf8)) }
        for structure in scanResponse { packet.put(structure.type, Array(structure.data)) }
        return Bytes(packet.bytes)
    }
}

/// Appends AD structures to each other. Each is a length, a type and data.
private struct StructureWriter {
    var bytes: [UInt8] = []

    mutating func put(_ type: UInt8, _ data: [UInt8]) {
        let data = data.prefix(254)
        bytes += [UInt8(data.count + 1), type] + data
    }

    /// One structure for each size that UUIDs have: 2, 4 and 16 bytes.
    mutating func put(_ uuids: [BluetoothUUID], types: [UInt8]) {
        let all = uuids.map { Array($0.littleEndianBytes) }
        for (size, type) in zip([2, 4, 16], types) {
            let fitting = all.filter { $0.count == size }
            if !fitting.isEmpty { put(type, fitting.flatMap { $0 }) }
        }
    }
}
