// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The events of HCI that say something about LE devices (Core Specification, Vol 4, Part E, 7.7).
enum HCIEvent: Sendable, Hashable {
    /// A link came up (7.7.65.1, 7.7.65.10).
    case connected(HCIConnection)
    /// A link went down (7.7.5).
    case disconnected(handle: UInt16)
    /// A link's encryption was switched on or off (7.7.8, 7.7.39).
    case encryptionChanged(handle: UInt16, isOn: Bool)
    /// Advertisements were heard (7.7.65.2, 7.7.65.13).
    case advertised([AdvertisingReport])
    /// The controller said its own public address, in answer to Read BD_ADDR.
    case ownAddress(DeviceAddress)

    /// Reads an event; nil for an event of another kind, of an operation that failed, or that is too short.
    init?(_ bytes: ArraySlice<UInt8>) {
        var cursor = ByteCursor(bytes)
        guard let code = cursor.byte(), let length = cursor.byte(), let parameters = cursor.take(Int(length)) else {
            return nil
        }
        cursor = ByteCursor(parameters)
        switch code {
        case 0x05:
            guard cursor.byte() == 0, let handle = cursor.handle() else { return nil }
            self = .disconnected(handle: handle)
        case 0x08, 0x59:
            guard cursor.byte() == 0, let handle = cursor.handle(), let isOn = cursor.byte() else { return nil }
            self = .encryptionChanged(handle: handle, isOn: isOn != 0)
        case 0x30:
            guard cursor.byte() == 0, let handle = cursor.handle() else { return nil }
            self = .encryptionChanged(handle: handle, isOn: true)
        case 0x0E:
            guard cursor.skip(1), cursor.little(UInt16.self) == 0x1009, cursor.byte() == 0,
                let address = cursor.take(6)
            else { return nil }
            self = .ownAddress(DeviceAddress(address, type: 0))
        case 0x3E:
            guard let event = Self.meta(&cursor) else { return nil }
            self = event
        default: return nil
        }
    }

    private static func meta(_ cursor: inout ByteCursor) -> HCIEvent? {
        guard let subevent = cursor.byte() else { return nil }
        switch subevent {
        case 0x01, 0x0A, 0x29: return HCIConnection(&cursor, isEnhanced: subevent != 0x01).map { .connected($0) }
        case 0x02: return .advertised(AdvertisingReport.legacy(&cursor))
        case 0x0D: return .advertised(AdvertisingReport.extended(&cursor))
        default: return nil
        }
    }
}

/// A link as LE Connection Complete and LE Enhanced Connection Complete describe it.
struct HCIConnection: Sendable, Hashable {
    var handle: UInt16
    /// Whether the host of this controller is the central.
    var isCentral: Bool
    var peer: DeviceAddress
    /// The resolvable private address that the peer used, where the controller resolved it.
    var peerAlias: DeviceAddress?
    /// The resolvable private address that this controller used.
    var ownAlias: DeviceAddress?

    init?(_ cursor: inout ByteCursor, isEnhanced: Bool) {
        guard cursor.byte() == 0, let handle = cursor.handle(), let role = cursor.byte(),
            let peer = cursor.typedAddress()
        else { return nil }
        self.handle = handle
        isCentral = role == 0
        self.peer = peer
        guard isEnhanced else { return }
        guard let own = cursor.take(6), let alias = cursor.take(6) else { return nil }
        let (ownAlias, peerAlias) = (DeviceAddress(own, type: 1), DeviceAddress(alias, type: 1))
        self.ownAlias = ownAlias.isZero ? nil : ownAlias
        self.peerAlias = peerAlias.isZero ? nil : peerAlias
    }
}

extension ByteCursor {
    /// A connection handle: the low 12 bits.
    mutating func handle() -> UInt16? { little(UInt16.self).map { $0 & 0x0FFF } }
}

/// HCI ACL data (Vol 4, Part E, 5.4.2): a handle with flags, a length, and a fragment of L2CAP.
struct ACLFragment {
    var handle: UInt16
    var isContinuation: Bool
    /// The direction by the packet-boundary flag: on LE links the host begins frames with 0, the controller with 2.
    var direction: CapturedPacket.Direction?
    var payload: ArraySlice<UInt8>

    init?(_ bytes: ArraySlice<UInt8>) {
        var cursor = ByteCursor(bytes)
        guard let word = cursor.little(UInt16.self), let length = cursor.little(UInt16.self),
            let payload = cursor.take(Int(length))
        else { return nil }
        handle = word & 0x0FFF
        let boundary = word >> 12 & 3
        isContinuation = boundary == 1
        direction = boundary == 0 ? .sent : boundary == 2 ? .received : nil
        self.payload = payload
    }
}
