// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The packets as they would be on a real link (Core Specification, Vol 3, Part F, 3.4).
extension ATTRequest {
    /// The first byte.
    var opcode: UInt8 {
        switch self {
        case .exchangeMTU: 0x02
        case .findInformation: 0x04
        case .readIncludes, .readCharacteristics: 0x08
        case .read: 0x0A
        case .readBlob: 0x0C
        case .readServices: 0x10
        case .write: 0x12
        case .prepareWrite: 0x16
        case .executeWrite: 0x18
        }
    }

    var handle: UInt16 {
        switch self {
        case .exchangeMTU, .executeWrite: 0
        case .readServices(let first), .readIncludes(let first, _), .readCharacteristics(let first, _),
            .findInformation(let first, _):
            first
        case .read(let handle), .readBlob(let handle, _), .write(let handle, _), .prepareWrite(let handle, _, _): handle
        }
    }

    var bytes: [UInt8] {
        let content: [UInt8]
        switch self {
        case .exchangeMTU(let unit): content = UInt16(clamping: unit).pair
        case .readServices(let first): content = first.pair + UInt16.max.pair + [0x00, 0x28]
        case .readIncludes(let first, let last): content = first.pair + last.pair + [0x02, 0x28]
        case .readCharacteristics(let first, let last): content = first.pair + last.pair + [0x03, 0x28]
        case .findInformation(let first, let last): content = first.pair + last.pair
        case .read(let handle): content = handle.pair
        case .readBlob(let handle, let offset): content = handle.pair + UInt16(clamping: offset).pair
        case .write(let handle, let value): content = handle.pair + value
        case .prepareWrite(let handle, let offset, let value):
            content = handle.pair + UInt16(clamping: offset).pair + value
        case .executeWrite(let commit): content = [commit ? 1 : 0]
        }
        return [opcode] + content
    }
}

extension ATTResponse {
    /// The answer to a request; all entries of a list have one size, as the server has seen to.
    func bytes(answering request: ATTRequest) -> [UInt8] {
        switch self {
        case .done:
            // The answer to a prepared write repeats it.
            return [request.opcode + 1] + (request.opcode == 0x16 ? Array(request.bytes.dropFirst()) : [])
        case .maximumTransmissionUnit(let unit): return [0x03] + UInt16(clamping: unit).pair
        case .services(let entries):
            return Self.list(0x11, entries.map { $0.start.pair + $0.end.pair + $0.uuid.packetBytes })
        case .includes(let entries):
            return Self.list(
                0x09,
                entries.map { entry in
                    // A UUID of 128 bits is left out (Vol 3, Part G, 3.2).
                    let uuid = entry.service.uuid
                    return entry.handle.pair + entry.service.start.pair + entry.service.end.pair
                        + (uuid.uint16 == nil ? [] : uuid.packetBytes)
                })
        case .characteristics(let entries):
            return Self.list(
                0x09,
                entries.map {
                    $0.declaration.pair + [UInt8(truncatingIfNeeded: $0.properties.rawValue)] + $0.value.pair
                        + $0.uuid.packetBytes
                })
        case .information(let entries):
            let isShort = entries.first?.uuid.uint16 != nil
            return [0x05, isShort ? 1 : 2] + entries.flatMap { $0.handle.pair + $0.uuid.packetBytes }
        case .value(let value): return [request.opcode + 1] + value
        }
    }

    private static func list(_ opcode: UInt8, _ entries: [[UInt8]]) -> [UInt8] {
        [opcode, UInt8(truncatingIfNeeded: entries.first?.count ?? 0)] + entries.joined()
    }
}

extension Upstream {
    /// The packet as a frame; nil where it is none of L2CAP.
    var frame: AirFrame? {
        switch self {
        case .request(let request): .attribute(request.bytes)
        case .command(let handle, let value): .attribute([0x52] + handle.pair + value)
        case .confirmation: .attribute([0x1E])
        case .channel(let packet): packet.frame
        case .parameters, .terminate: nil
        }
    }
}

extension Downstream {
    /// The packet as a frame; nil where it is none of L2CAP.
    ///
    /// The Generic Attribute service belongs to the stack and has no handles here: a Service Changed indication comes
    /// from the last handle that there can be.
    ///
    /// - Parameter request: The request that a response answers.
    func frame(answering request: ATTRequest?) -> AirFrame? {
        switch self {
        case .response(.success(let response)): request.map { .attribute(response.bytes(answering: $0)) }
        case .response(.failure(let error)):
            request.map { .attribute([0x01, $0.opcode] + $0.handle.pair + [error.rawValue]) }
        case .notification(let handle, let value): .attribute([0x1B] + handle.pair + value)
        case .indication(let handle, let value): .attribute([0x1D] + handle.pair + value)
        case .servicesChanged(let services):
            .attribute([0x1D] + UInt16.max.pair + (services.min() ?? 1).pair + UInt16.max.pair)
        case .channel(let packet): packet.frame
        case .terminate: nil
        }
    }
}

extension AirFrame {
    fileprivate static func attribute(_ payload: [UInt8]) -> AirFrame {
        AirFrame(channel: attributeChannel, payload: payload)
    }
}

extension UInt16 {
    /// Little-endian.
    var pair: [UInt8] { [UInt8(self & 0xFF), UInt8(self >> 8)] }
}

extension BluetoothUUID {
    /// 2 or 16 bytes.
    fileprivate var packetBytes: Bytes { uint16 == nil ? fullLittleEndianBytes : littleEndianBytes }
}
