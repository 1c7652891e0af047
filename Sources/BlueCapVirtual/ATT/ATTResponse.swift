// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A server's answer to a request.
enum ATTResponse {
    case done
    case maximumTransmissionUnit(Int)
    case services([ServiceEntry])
    case includes([IncludeEntry])
    case characteristics([CharacteristicEntry])
    case information([InformationEntry])
    case value(Bytes)
}

typealias ATTResult = Result<ATTResponse, ATTError>

/// A service as its declaration describes it.
struct ServiceEntry {
    var start: UInt16
    var end: UInt16
    var uuid: BluetoothUUID
    var isPrimary: Bool
}

/// An included service.
struct IncludeEntry {
    var handle: UInt16
    var service: ServiceEntry
}

/// A characteristic as its declaration describes it.
struct CharacteristicEntry {
    var declaration: UInt16
    var value: UInt16
    var properties: CharacteristicProperties
    var uuid: BluetoothUUID
}

/// An attribute's type.
struct InformationEntry {
    var handle: UInt16
    var uuid: BluetoothUUID
}

/// A packet from the peripheral's side of a link.
enum Downstream {
    case response(ATTResult)
    case notification(UInt16, Bytes)
    case indication(UInt16, Bytes)
    /// The indication of the Service Changed characteristic: the services whose attributes are gone or different.
    case servicesChanged([UInt16])
    /// A packet of a connection-oriented channel.
    indirect case channel(ChannelPacket)
    /// The end of the link; whether it is for want of room for another central.
    case terminate(isFull: Bool)
}
