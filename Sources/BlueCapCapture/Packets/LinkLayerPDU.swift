// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// A PDU of the link layer (Core Specification, Vol 6, Part B, 2.3 and 2.4).
enum LinkLayerPDU: Sendable, Hashable {
    /// An advertisement or a scan response of the primary channels.
    case advertisement(AdvertisingReport)
    /// A packet of extended advertising.
    case extendedAdvertisement(ExtendedAdvertisement)
    /// A central asks an advertiser for a link.
    case connect(central: DeviceAddress, peripheral: DeviceAddress, accessAddress: UInt32)
    /// Data of a link.
    case data(LinkLayerData)

    /// The access address of all advertising (2.1.2).
    static let advertisingAddress: UInt32 = 0x8E89_BED6

    /// Reads a packet from its access address on; nil for a PDU of another kind, or one that is too short.
    init?(_ bytes: ArraySlice<UInt8>, isCoded: Bool, rssi: Int?) {
        var cursor = ByteCursor(bytes)
        guard let accessAddress = cursor.little(UInt32.self), !isCoded || cursor.skip(1), let header = cursor.byte(),
            let length = cursor.byte(), let payload = cursor.take(Int(length))
        else { return nil }
        if accessAddress == Self.advertisingAddress {
            guard let pdu = Self.advertising(header, payload, rssi: rssi) else { return nil }
            self = pdu
        } else {
            // Constant tone extension information makes the header a byte longer.
            guard header & 0x20 == 0 else { return nil }
            self = .data(
                LinkLayerData(
                    accessAddress: accessAddress, kind: header & 3, sequence: header >> 3 & 1, payload: Array(payload)))
        }
    }

    private static func advertising(_ header: UInt8, _ payload: ArraySlice<UInt8>, rssi: Int?) -> LinkLayerPDU? {
        var cursor = ByteCursor(payload)
        let transmitter: UInt8 = header >> 6 & 1
        switch header & 0x0F {
        case let type where [0, 1, 2, 4, 6].contains(type):
            guard let address = cursor.take(6) else { return nil }
            // ADV_DIRECT_IND holds the address that it is for, and no data.
            let data = type == 1 ? [] : Array(cursor.takeRest())
            return .advertisement(
                AdvertisingReport(
                    address: DeviceAddress(address, type: transmitter), isScanResponse: type == 4,
                    isConnectable: type == 4 ? nil : type <= 1, data: data, rssi: rssi))
        case 5:
            guard let central = cursor.take(6), let peripheral = cursor.take(6),
                let accessAddress = cursor.little(UInt32.self)
            else { return nil }
            return .connect(
                central: DeviceAddress(central, type: transmitter),
                peripheral: DeviceAddress(peripheral, type: header >> 7 & 1), accessAddress: accessAddress)
        case 7:
            return ExtendedAdvertisement(&cursor, transmitter: transmitter, rssi: rssi)
                .map { .extendedAdvertisement($0) }
        default: return nil
        }
    }
}

/// Data of a link.
struct LinkLayerData: Sendable, Hashable {
    var accessAddress: UInt32
    /// 1 a continuation or nothing, 2 the beginning of an L2CAP frame, 3 control.
    var kind: UInt8
    var sequence: UInt8
    var payload: [UInt8]

    /// Whether the packet cannot be ciphertext. Ciphertext has a check value of four bytes behind the content (Vol 6,
    /// Part B, 2.4), and a plain L2CAP frame of a channel that all LE links have contains its own length.
    /// LL_START_ENC_REQ, the last packet that is plain in any case, is repeated until it is acknowledged, and shows
    /// nothing.
    var isPlain: Bool {
        if kind == 3, payload == [0x05] { return false }
        if 1...4 ~= payload.count { return true }
        var cursor = ByteCursor(payload)
        guard kind == 2, let length = cursor.little(UInt16.self), let channel = cursor.little(UInt16.self) else {
            return false
        }
        return Int(length) == cursor.remaining && 4...6 ~= channel
    }
}

/// The common form of extended advertising (2.3.4): header flags say which fields precede the data.
struct ExtendedAdvertisement: Sendable, Hashable {
    var address: DeviceAddress?
    /// The set and the number of its data, which a chain's packets share.
    var identifier: UInt16?
    var continues: Bool
    var isConnectable: Bool
    var isScannable: Bool
    var data: [UInt8]
    var rssi: Int?

    init?(_ cursor: inout ByteCursor, transmitter: UInt8, rssi: Int?) {
        guard let first = cursor.byte(), let header = cursor.take(Int(first & 0x3F)) else { return nil }
        isConnectable = first >> 6 == 1
        isScannable = first >> 6 == 2
        continues = false
        data = Array(cursor.takeRest())
        self.rssi = rssi
        var fields = ByteCursor(header)
        guard let flags = fields.byte() else { return }
        if flags & 0x01 != 0 {
            guard let address = fields.take(6) else { return nil }
            self.address = DeviceAddress(address, type: transmitter)
        }
        if flags & 0x02 != 0 { guard fields.skip(6) else { return nil } }
        if flags & 0x04 != 0 { guard fields.skip(1) else { return nil } }
        if flags & 0x08 != 0 {
            guard let identifier = fields.little(UInt16.self) else { return nil }
            self.identifier = identifier
        }
        continues = flags & 0x10 != 0
    }
}
