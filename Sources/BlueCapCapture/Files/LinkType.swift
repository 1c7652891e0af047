// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The link types of pcap and pcapng that hold Bluetooth LE (tcpdump.org, "Link-layer header types").
enum LinkType: Int {
    /// LINKTYPE_BLUETOOTH_HCI_H4: a packet-type byte and the packet; the direction of data is not recorded.
    case uart = 187
    /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR: before that 32 bits in big-endian order, 0 for host to controller.
    case uartWithDirection = 201
    /// LINKTYPE_BLUETOOTH_LE_LL: access address, PDU, CRC.
    case linkLayer = 251
    /// LINKTYPE_BLUETOOTH_LINUX_MONITOR: the controller's index and an opcode, 16 bits each in big-endian order.
    case monitor = 254
    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: ten bytes of the sniffer's data, then as 251.
    case linkLayerWithHeader = 256
    /// LINKTYPE_NORDIC_BLE: the messages of Nordic's nRF Sniffer.
    case nordic = 272

    func packet(_ bytes: ArraySlice<UInt8>, time: Timestamp?, isCutOff: Bool) -> CapturedPacket {
        var cursor = ByteCursor(bytes)
        switch self {
        case .uart: return HCIFraming.uart(bytes, nil, time: time, isCutOff: isCutOff)
        case .uartWithDirection:
            guard let direction = cursor.big(UInt32.self) else { break }
            return HCIFraming.uart(
                cursor.takeRest(), direction & 1 == 0 ? .sent : .received, time: time, isCutOff: isCutOff)
        case .monitor:
            guard let adapter = cursor.big(UInt16.self), let opcode = cursor.big(UInt16.self) else { break }
            return HCIFraming.monitor(
                opcode, adapter: Int(adapter), cursor.takeRest(), time: time, isCutOff: isCutOff)
        case .linkLayer:
            return CapturedPacket(
                time: time, kind: .linkLayer(.init()), bytes: Bytes(bytes), isCutOff: isCutOff)
        case .linkLayerWithHeader:
            guard let reception = Self.header(&cursor) else { break }
            return CapturedPacket(
                time: time, kind: .linkLayer(reception), bytes: Bytes(cursor.takeRest()), isCutOff: isCutOff)
        case .nordic:
            guard let reception = Self.nordic(&cursor) else { break }
            return CapturedPacket(
                time: time, kind: .linkLayer(reception), bytes: Bytes(cursor.takeRest()), isCutOff: isCutOff)
        }
        return CapturedPacket(time: time, kind: .other, bytes: Bytes(bytes), isCutOff: isCutOff)
    }

    /// The pseudo-header of 256: channel, signal and noise in dBm, access-address offences, reference access address
    /// (32 bits), flags (16 bits), all little-endian (tcpdump.org, LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR).
    private static func header(_ cursor: inout ByteCursor) -> CapturedPacket.Reception? {
        guard cursor.skip(1), let signal = cursor.byte(), cursor.skip(6), let flags = cursor.little(UInt16.self) else {
            return nil
        }
        var reception = CapturedPacket.Reception()
        if flags & 0x0002 != 0 { reception.rssi = Int(Int8(bitPattern: signal)) }
        switch flags >> 7 & 7 {
        case 2: reception.direction = .sent
        case 3: reception.direction = .received
        default: break
        }
        if flags & 0x0400 != 0 { reception.isValid = flags & 0x0800 != 0 }
        // A packet that is still whitened means nothing.
        if flags & 0x0001 == 0 { reception.isValid = false }
        if flags & 0x0008 != 0 { reception.encryption = .decrypted }
        reception.isCoded = flags >> 14 == 2
        return reception
    }

    /// The header of 272: the board, then for version 1 the header's and the payload's length (8 bits each), for
    /// versions 2 and 3 the payload's length (16 bits); version, counter (16 bits), message type. A message of type 6
    /// (and 2 in version 3) holds a packet behind a header of its own: its length, flags, channel, the absolute value
    /// of the signal strength, a counter (16 bits) and a time (32 bits). Flags: 1 for a right CRC, 2 for central to
    /// peripheral, 4 for encrypted, 8 for a right MIC of a decrypted packet, and the PHY in bits 4 to 6; 2, 4 and 8 are
    /// of data packets, and mean something else in the advertising packets of type 2 (tcpdump.org, LINKTYPE_NORDIC_BLE;
    /// Nordic's nRF Sniffer for Bluetooth LE).
    private static func nordic(_ cursor: inout ByteCursor) -> CapturedPacket.Reception? {
        guard cursor.skip(3), let version = cursor.byte(), (1...3).contains(version), cursor.skip(2),
            let type = cursor.byte(), type == 6 || type == 2 && version == 3
        else { return nil }
        guard let length = cursor.byte(), length >= 10, let flags = cursor.byte(), cursor.skip(1),
            let signal = cursor.byte(), cursor.skip(Int(length) - 4)
        else { return nil }
        var reception = CapturedPacket.Reception(
            rssi: -Int(signal), isValid: flags & 1 != 0, isCoded: version > 1 && flags >> 4 & 7 == 2)
        if type == 2 { return reception }
        reception.direction = flags & 2 == 0 ? .received : .sent
        reception.encryption = flags & 4 == 0 ? .plain : flags & 8 == 0 ? .encrypted : .decrypted
        return reception
    }
}
