// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The packets of an advertisement, for backends that build the packets themselves.
extension Advertisement {
    /// Returns the AD structures of the advertising packet, with the name only in extended advertising (Core
    /// Specification, Vol 3, Part C, 11; Core Specification Supplement, Part A).
    ///
    /// They have ``packetByteCount`` bytes.
    ///
    /// The order is: flags, services, solicited services, service data, manufacturer data, appearance, transmit power,
    /// the name, and then ``structures``. A structure holds 254 bytes at most: a longer list of UUIDs is in several
    /// structures, and longer data are cut off. Such a packet is too long for every radio, so a backend refuses the
    /// advertisement because of its length.
    ///
    /// - Parameter transmitPower: The transmit power of the radio, in dBm. It is used if ``includesTxPower`` is true
    ///   and ``txPower`` is nil.
    public func packet(transmitPower: Int = 0) -> Bytes {
        var fields = PeripheralAdvertisements(
            manufacturerData: manufacturerData, txPower: includesTxPower ? txPower ?? transmitPower : nil,
            serviceUUIDs: serviceUUIDs, serviceData: serviceData, solicitedServiceUUIDs: solicitedServiceUUIDs,
            appearance: appearance)
        let isDiscoverable = isDiscoverable ?? (kind == .connectable)
        if kind == .connectable || isDiscoverable {
            fields.flags = isDiscoverable ? [.generalDiscoverable, .noBREDR] : .noBREDR
        }
        var packet = StructureWriter()
        packet.put(fields)
        if secondaryPHY != nil, let localName { packet.put(0x09, Array(localName.utf8)) }
        for structure in structures { packet.put(structure.type, Array(structure.data)) }
        return Bytes(packet.bytes)
    }

    /// The AD structures of the scan response: the name, and then ``scanResponse``; none in extended advertising.
    ///
    /// They have ``scanResponseByteCount`` bytes.
    public var scanResponsePacket: Bytes {
        guard secondaryPHY == nil else { return [] }
        var packet = StructureWriter()
        if let localName { packet.put(0x09, Array(localName.utf8)) }
        for structure in scanResponse { packet.put(structure.type, Array(structure.data)) }
        return Bytes(packet.bytes)
    }
}
