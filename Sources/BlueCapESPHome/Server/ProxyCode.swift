// SPDX-License-Identifier: MIT

import BlueCapCore

/// The numbers by which a proxy names failures.
enum ProxyCode {
    /// Of requests of attributes, beside the codes of ATT. Clients take the first for the end of the link.
    static let (notConnected, outOfMemory): (Int32, Int32) = (-1, -2)
    /// Of connections, the reasons of HCI: the peer was lost, this side let go, no connection came about.
    static let (lost, local, notEstablished): (Int32, Int32, Int32) = (0x08, 0x16, 0x3E)
    /// Of connections whose database was not read.
    static let failed: Int32 = 0x85

    static func of(_ error: CharacteristicError) -> Int32 {
        switch error {
        case .att(let error): return Int32(error.rawValue)
        case .disconnected, .poweredOff, .invalidated, .cancelled, .unconfigured: return notConnected
        case .readNotSupported: return Int32(ATTError.readNotPermitted.rawValue)
        case .writeNotSupported: return Int32(ATTError.writeNotPermitted.rawValue)
        case .unsupported, .notifyNotSupported: return Int32(ATTError.requestNotSupported.rawValue)
        case .valueTooLong: return Int32(ATTError.invalidAttributeValueLength.rawValue)
        default: return Int32(ATTError.unlikelyError.rawValue)
        }
    }
}
