// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// What a client asks of a server, one at a time on each link (Core Specification, Vol 3, Part F, 3.4).
enum ATTRequest {
    case exchangeMTU(Int)
    /// Read By Group Type, for primary services.
    case readServices(from: UInt16)
    /// Read By Type, for include declarations.
    case readIncludes(from: UInt16, to: UInt16)
    /// Read By Type, for characteristic declarations.
    case readCharacteristics(from: UInt16, to: UInt16)
    case findInformation(from: UInt16, to: UInt16)
    case read(UInt16)
    case readBlob(UInt16, offset: Int)
    case write(UInt16, Bytes)
    case prepareWrite(UInt16, offset: Int, Bytes)
    case executeWrite(commit: Bool)
}

/// What a server answers.
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

/// A service as its declaration tells it.
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

/// A characteristic as its declaration tells it.
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

/// What the central's side of a link sends.
enum Upstream {
    case request(ATTRequest)
    /// Write Command.
    case command(UInt16, Bytes)
    /// Confirms an indication.
    case confirmation
    case terminate
}

/// What the peripheral's side of a link sends.
enum Downstream {
    case response(ATTResult)
    case notification(UInt16, Bytes)
    case indication(UInt16, Bytes)
    /// The indication of the Service Changed characteristic: the services whose attributes are gone or different.
    case servicesChanged([UInt16])
    case terminate
}

extension BluetoothUUID {
    /// The client characteristic configuration descriptor.
    static let clientConfiguration: BluetoothUUID = "2902"

    /// The bytes it takes in a packet: 2 or 16.
    var packetSize: Int { uint16 == nil ? 16 : 2 }
}
