// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A packet of the Attribute Protocol (Core Specification, Vol 3, Part F, 3.4).
enum ATTPDU: Sendable, Hashable {
    case error(request: UInt8, handle: UInt16, code: UInt8)
    case exchangeMTURequest(UInt16)
    case exchangeMTUResponse(UInt16)
    case findInformationRequest(HandleRange)
    case findInformationResponse([ATTInformation])
    case findByTypeValueRequest(HandleRange, type: UInt16, value: Bytes)
    case findByTypeValueResponse([HandleRange])
    case readByTypeRequest(HandleRange, type: BluetoothUUID)
    case readByTypeResponse([ATTValue])
    case readRequest(UInt16)
    case readResponse(Bytes)
    case readBlobRequest(UInt16, offset: UInt16)
    case readBlobResponse(Bytes)
    case readMultipleRequest([UInt16])
    case readMultipleResponse(Bytes)
    case readByGroupTypeRequest(HandleRange, type: BluetoothUUID)
    case readByGroupTypeResponse([ATTGroup])
    case writeRequest(UInt16, Bytes)
    case writeResponse
    case prepareWriteRequest(UInt16, offset: UInt16, Bytes)
    case prepareWriteResponse(UInt16, offset: UInt16, Bytes)
    case executeWriteRequest(commits: Bool)
    case executeWriteResponse
    case readMultipleVariableRequest([UInt16])
    case readMultipleVariableResponse([Bytes])
    case multipleNotification([ATTValue])
    case notification(UInt16, Bytes)
    case indication(UInt16, Bytes)
    case confirmation
    case writeCommand(UInt16, Bytes)
    case signedWriteCommand(UInt16, Bytes)
}

/// Handles from one to another. A hostile packet may have them the wrong way round.
struct HandleRange: Sendable, Hashable {
    var first: UInt16
    var last: UInt16

    func contains(_ handle: UInt16) -> Bool { handle >= first && handle <= last }

    func overlaps(_ other: HandleRange) -> Bool { first <= other.last && other.first <= last }
}

/// The type of an attribute.
struct ATTInformation: Sendable, Hashable {
    var handle: UInt16
    var type: BluetoothUUID
}

/// The value of an attribute.
struct ATTValue: Sendable, Hashable {
    var handle: UInt16
    var value: Bytes
}

/// A service by its declaration.
struct ATTGroup: Sendable, Hashable {
    var range: HandleRange
    var value: Bytes
}

extension ATTPDU {
    enum Sender { case client, server }

    /// The side that sends a packet with this opcode; nil for one that is not defined.
    static func sender(of opcode: UInt8) -> Sender? {
        switch opcode {
        case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x1E, 0x20, 0x52, 0xD2: .client
        case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x1B, 0x1D, 0x21, 0x23: .server
        default: nil
        }
    }

    /// Whether the other side has to answer a packet with this opcode before the same side sends the next request.
    static func isRequest(_ opcode: UInt8) -> Bool {
        sender(of: opcode) == .client && opcode != 0x1E && opcode & 0x40 == 0
    }

    /// The opcode of the request that a packet with this opcode answers; nil for one that answers none.
    func request(answeredBy opcode: UInt8) -> UInt8? {
        if case .error(let request, _, _) = self { return request }
        return Self.sender(of: opcode) == .server && Self.isRequest(opcode - 1) ? opcode - 1 : nil
    }

    /// Reads a packet; nil for one that is too short, or whose lists do not come out even.
    init?(_ bytes: ArraySlice<UInt8>) {
        var cursor = ByteCursor(bytes)
        guard let opcode = cursor.byte(), let pdu = Self.read(opcode, &cursor) else { return nil }
        self = pdu
    }

    private static func read(_ opcode: UInt8, _ cursor: inout ByteCursor) -> ATTPDU? {
        switch opcode {
        case 0x01:
            guard let request = cursor.byte(), let handle = cursor.little(UInt16.self), let code = cursor.byte() else {
                return nil
            }
            return .error(request: request, handle: handle, code: code)
        case 0x02: return cursor.little().map { .exchangeMTURequest($0) }
        case 0x03: return cursor.little().map { .exchangeMTUResponse($0) }
        case 0x04: return cursor.range().map { .findInformationRequest($0) }
        case 0x05: return information(&cursor)
        case 0x06:
            guard let range = cursor.range(), let type = cursor.little(UInt16.self) else { return nil }
            return .findByTypeValueRequest(range, type: type, value: Bytes(cursor.takeRest()))
        case 0x07: return list(&cursor) { $0.range() }.map { .findByTypeValueResponse($0) }
        case 0x08: return typed(&cursor).map { .readByTypeRequest($0.range, type: $0.type) }
        case 0x09: return values(&cursor)
        case 0x0A: return cursor.little().map { .readRequest($0) }
        case 0x0B: return .readResponse(Bytes(cursor.takeRest()))
        case 0x0C:
            guard let handle = cursor.little(UInt16.self), let offset = cursor.little(UInt16.self) else { return nil }
            return .readBlobRequest(handle, offset: offset)
        case 0x0D: return .readBlobResponse(Bytes(cursor.takeRest()))
        case 0x0E: return list(&cursor) { $0.little(UInt16.self) }.map { .readMultipleRequest($0) }
        case 0x0F: return .readMultipleResponse(Bytes(cursor.takeRest()))
        case 0x10: return typed(&cursor).map { .readByGroupTypeRequest($0.range, type: $0.type) }
        case 0x11: return groups(&cursor)
        case 0x12: return attribute(&cursor).map { .writeRequest($0.handle, $0.value) }
        case 0x13: return .writeResponse
        case 0x16: return part(&cursor).map { .prepareWriteRequest($0.handle, offset: $0.offset, $0.value) }
        case 0x17: return part(&cursor).map { .prepareWriteResponse($0.handle, offset: $0.offset, $0.value) }
        case 0x18: return cursor.byte().map { .executeWriteRequest(commits: $0 == 1) }
        case 0x19: return .executeWriteResponse
        case 0x1B: return attribute(&cursor).map { .notification($0.handle, $0.value) }
        case 0x1D: return attribute(&cursor).map { .indication($0.handle, $0.value) }
        case 0x1E: return .confirmation
        case 0x20: return list(&cursor) { $0.little(UInt16.self) }.map { .readMultipleVariableRequest($0) }
        case 0x21: return list(&cursor) { $0.counted() }.map { .readMultipleVariableResponse($0) }
        case 0x23:
            return list(&cursor) { cursor in
                guard let handle = cursor.little(UInt16.self), let value = cursor.counted() else { return nil }
                return ATTValue(handle: handle, value: value)
            }.map { .multipleNotification($0) }
        case 0x52: return attribute(&cursor).map { .writeCommand($0.handle, $0.value) }
        case 0xD2:
            // A signature of 12 bytes ends it.
            guard let handle = cursor.little(UInt16.self), let value = cursor.take(cursor.remaining - 12) else {
                return nil
            }
            return .signedWriteCommand(handle, Bytes(value))
        default: return nil
        }
    }

    // MARK: Parts

    /// Elements to the end; nil where the last is cut off.
    private static func list<Element>(
        _ cursor: inout ByteCursor, _ read: (inout ByteCursor) -> Element?
    ) -> [Element]? {
        var elements: [Element] = []
        while cursor.remaining > 0 {
            guard let element = read(&cursor) else { return nil }
            elements.append(element)
        }
        return elements
    }

    private static func information(_ cursor: inout ByteCursor) -> ATTPDU? {
        guard let format = cursor.byte(), format == 1 || format == 2 else { return nil }
        return list(&cursor) { cursor in
            guard let handle = cursor.little(UInt16.self), let type = cursor.uuid(byteCount: format == 1 ? 2 : 16)
            else { return nil }
            return ATTInformation(handle: handle, type: type)
        }.map { .findInformationResponse($0) }
    }

    private static func values(_ cursor: inout ByteCursor) -> ATTPDU? {
        guard let size = cursor.byte(), size >= 2 else { return nil }
        return list(&cursor) { cursor in
            guard let handle = cursor.little(UInt16.self), let value = cursor.take(Int(size) - 2) else { return nil }
            return ATTValue(handle: handle, value: Bytes(value))
        }.map { .readByTypeResponse($0) }
    }

    private static func groups(_ cursor: inout ByteCursor) -> ATTPDU? {
        guard let size = cursor.byte(), size >= 4 else { return nil }
        return list(&cursor) { cursor in
            guard let range = cursor.range(), let value = cursor.take(Int(size) - 4) else { return nil }
            return ATTGroup(range: range, value: Bytes(value))
        }.map { .readByGroupTypeResponse($0) }
    }

    private static func typed(_ cursor: inout ByteCursor) -> (range: HandleRange, type: BluetoothUUID)? {
        guard let range = cursor.range(), let type = cursor.uuid(byteCount: cursor.remaining) else { return nil }
        return (range, type)
    }

    private static func attribute(_ cursor: inout ByteCursor) -> ATTValue? {
        cursor.little(UInt16.self).map { ATTValue(handle: $0, value: Bytes(cursor.takeRest())) }
    }

    private static func part(_ cursor: inout ByteCursor) -> (handle: UInt16, offset: UInt16, value: Bytes)? {
        guard let handle = cursor.little(UInt16.self), let offset = cursor.little(UInt16.self) else { return nil }
        return (handle, offset, Bytes(cursor.takeRest()))
    }
}

extension ByteCursor {
    fileprivate mutating func range() -> HandleRange? {
        guard let first = little(UInt16.self), let last = little(UInt16.self) else { return nil }
        return HandleRange(first: first, last: last)
    }

    /// A value behind its length. In a packet that is cut to the MTU, the last one may be shorter than it says.
    fileprivate mutating func counted() -> Bytes? {
        little(UInt16.self).flatMap { take(min(Int($0), remaining)) }.map { Bytes($0) }
    }
}
