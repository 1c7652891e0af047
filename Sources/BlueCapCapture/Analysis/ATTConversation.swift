// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The requests of one client to one server on one link: it matches them with their answers and learns from both.
struct ATTConversation: Sendable {
    struct Access: Hashable {
        var handle: UInt16
        var kind: CapturedAccess.Kind
        var value: Bytes
    }

    private struct Prepared: Sendable {
        var handle: UInt16
        var offset: Int
        var value: Bytes
    }

    struct Request: Sendable {
        var pdu: ATTPDU
        var time: Timestamp?
        fileprivate var number: Int
    }

    /// More parts than this are not remembered; servers refuse far fewer.
    private static let maximumPreparedCount = 512
    /// The longest value of an attribute (Core Specification, Vol 3, Part F, 3.2.9).
    private static let longestValue = 512
    /// How long a server may take (Core Specification, Vol 3, Part F, 3.3.3).
    private static let longestAnswer = Duration.seconds(30)

    /// The requests without an answer, by their opcodes: both ends send requests where directions are not recorded, and
    /// some stacks send the next request too early.
    private var requests: [UInt8: Request] = [:]
    private var requestCount = 0
    private var prepared: [Prepared] = []
    /// The last write, as long as replies to it are awaited.
    private var exchange: ObservedExchanges.Open?
    private(set) var serverMTU: Int?

    // MARK: Requests

    /// Keeps a request until its answer comes.
    mutating func ask(_ pdu: ATTPDU, opcode: UInt8, time: Timestamp?) {
        requestCount += 1
        requests[opcode] = Request(pdu: pdu, time: time, number: requestCount)
    }

    /// The request with an opcode that is answered now; nil where there is none.
    ///
    /// - Parameter isOfOneClient: Whether all requests are one client's. A server answers in order, so that those
    ///   before this one are over, and their answers were not heard.
    mutating func takeRequest(_ opcode: UInt8, at time: Timestamp?, isOfOneClient: Bool) -> Request? {
        guard let request = requests.removeValue(forKey: opcode) else { return nil }
        if isOfOneClient { requests = requests.filter { $0.value.number > request.number } }
        if let time, let asked = request.time, time - asked > Self.longestAnswer { return nil }
        return request
    }

    // MARK: The client's packets

    mutating func fromClient(_ pdu: ATTPDU, _ database: inout ObservedDatabase, time: Timestamp?) -> [Access] {
        switch pdu {
        case .writeCommand(let handle, let value), .signedWriteCommand(let handle, let value):
            database.wrote(value, to: handle, time: time, in: &exchange)
            return [Access(handle: handle, kind: .writtenWithoutResponse, value: value)]
        case .writeRequest(let handle, let value)
        where value.count == 2 && value[0] & 3 != 0 && value[0] < 4 && value[1] == 0:
            // Values sent before the answer count already. Whether this is a client configuration shows later.
            database.subscribed(with: handle, at: time)
            let type = database.type(of: handle)
            if type == nil || type == .clientConfiguration {
                database.close(&exchange)
            } else {
                database.wrote(value, to: handle, time: time, in: &exchange)
            }
            return []
        case .writeRequest(let handle, let value):
            database.wrote(value, to: handle, time: time, in: &exchange)
            return []
        default: return []
        }
    }

    // MARK: The server's packets

    /// Takes a packet of the server.
    ///
    /// - Parameters:
    ///   - request: The request that it answers.
    ///   - isEncrypted: Whether the link is encrypted, which decides the meaning of a refusal.
    mutating func fromServer(
        _ pdu: ATTPDU, answering request: ATTPDU?, _ database: inout ObservedDatabase, time: Timestamp?,
        isEncrypted: Bool
    ) -> [Access] {
        switch pdu {
        case .notification(let handle, let value):
            database.notified(value, at: handle, time: time, in: &exchange)
            return [Access(handle: handle, kind: .notified, value: value)]
        case .multipleNotification(let values):
            for each in values { database.notified(each.value, at: each.handle, time: time, in: &exchange) }
            return values.map { Access(handle: $0.handle, kind: .notified, value: $0.value) }
        case .indication(let handle, let value):
            database.notified(value, at: handle, time: time, in: &exchange)
            return [Access(handle: handle, kind: .indicated, value: value)]
        default: break
        }
        guard let request else { return [] }
        if case .error(let opcode, let handle, let code) = pdu {
            refused(opcode, handle, code, &database, isEncrypted: isEncrypted)
            return []
        }
        return answered(request, pdu, &database)
    }

    private mutating func refused(
        _ opcode: UInt8, _ handle: UInt16, _ code: UInt8, _ database: inout ObservedDatabase, isEncrypted: Bool
    ) {
        if opcode == 0x16 || opcode == 0x18 { prepared = [] }
        // A write that was refused leads to nothing.
        if opcode == 0x12 { exchange = nil }
        // Insufficient Authentication, Authorization, Encryption Key Size and Encryption (Vol 3, Part F, table 3.4).
        guard [0x05, 0x08, 0x0C, 0x0F].contains(code), handle > 0 else { return }
        database.demand(isEncrypted ? .authenticated : .encrypted, at: handle, isWrite: [0x12, 0x16].contains(opcode))
    }

    private mutating func answered(
        _ request: ATTPDU, _ response: ATTPDU, _ database: inout ObservedDatabase
    ) -> [Access] {
        switch (request, response) {
        case (.exchangeMTURequest, .exchangeMTUResponse(let mtu)): serverMTU = max(23, Int(mtu))
        case (.readByGroupTypeRequest(_, let type), .readByGroupTypeResponse(let groups)):
            for group in groups {
                guard let uuid = try? BluetoothUUID(littleEndianBytes: group.value) else { continue }
                database.add(.init(range: group.range, uuid: uuid, isPrimary: type == .primaryService))
            }
        case (.findByTypeValueRequest(_, 0x2800, let value), .findByTypeValueResponse(let ranges)):
            guard let uuid = try? BluetoothUUID(littleEndianBytes: value) else { break }
            for range in ranges { database.add(.init(range: range, uuid: uuid, isPrimary: true)) }
        case (.findInformationRequest, .findInformationResponse(let entries)):
            for entry in entries { database.add(type: entry.type, at: entry.handle) }
        case (.readByTypeRequest(_, let type), .readByTypeResponse(let values)):
            return values.flatMap { found($0, type: type, &database) }
        case (.readRequest(let handle), .readResponse(let value)):
            return [read(value, handle, &database)]
        case (.readBlobRequest(let handle, let offset), .readBlobResponse(let part)):
            let known = database.values[handle] ?? []
            // A part that begins behind the known bytes leaves a gap.
            guard Int(offset) <= min(known.count, Self.longestValue) else { break }
            let whole = Bytes(known.prefix(Int(offset))) + part
            return [read(Bytes(whole.prefix(Self.longestValue)), handle, &database)]
        case (.readMultipleVariableRequest(let handles), .readMultipleVariableResponse(let values)):
            return zip(handles, values).map { read($1, $0, &database) }
        case (.writeRequest(let handle, let value), .writeResponse):
            return [written(value, handle, &database)]
        case (.prepareWriteRequest(let handle, let offset, let value), .prepareWriteResponse):
            guard prepared.count < Self.maximumPreparedCount, Int(offset) + value.count <= Self.longestValue else {
                break
            }
            prepared.append(Prepared(handle: handle, offset: Int(offset), value: value))
        case (.executeWriteRequest(let commits), .executeWriteResponse):
            defer { prepared = [] }
            return commits ? executed(&database) : []
        default: break
        }
        return []
    }

    private func found(_ entry: ATTValue, type: BluetoothUUID, _ database: inout ObservedDatabase) -> [Access] {
        var cursor = ByteCursor(entry.value)
        switch type {
        case .characteristic:
            guard let properties = cursor.byte(), let value = cursor.little(UInt16.self),
                let uuid = cursor.uuid(byteCount: cursor.remaining)
            else { return [] }
            database.add(
                .init(
                    declaration: entry.handle, value: value, uuid: uuid,
                    properties: CharacteristicProperties(rawValue: .init(properties))))
            return []
        case .include:
            guard let first = cursor.little(UInt16.self), let last = cursor.little(UInt16.self) else { return [] }
            let uuid = cursor.remaining == 2 ? cursor.uuid(byteCount: 2) : nil
            database.add(.init(range: HandleRange(first: first, last: last), uuid: uuid), at: entry.handle)
            return []
        default:
            database.add(type: type, at: entry.handle)
            return [read(entry.value, entry.handle, &database)]
        }
    }

    private func read(_ value: Bytes, _ handle: UInt16, _ database: inout ObservedDatabase) -> Access {
        database.set(value, at: handle)
        return Access(handle: handle, kind: .read, value: value)
    }

    private func written(_ value: Bytes, _ handle: UInt16, _ database: inout ObservedDatabase) -> Access {
        if database.type(of: handle) != .clientConfiguration { database.set(value, at: handle) }
        return Access(handle: handle, kind: .written, value: value)
    }

    /// The values whose parts were prepared, in the order of their first parts.
    private mutating func executed(_ database: inout ObservedDatabase) -> [Access] {
        var order: [UInt16] = []
        var values: [UInt16: [UInt8]] = [:]
        for part in prepared {
            if values[part.handle] == nil {
                order.append(part.handle)
                values[part.handle] = Array((database.values[part.handle] ?? []).prefix(part.offset))
            }
            // A part that leaves a gap is not understood.
            guard let value = values[part.handle], part.offset <= value.count else { continue }
            values[part.handle] = value.prefix(part.offset) + Array(part.value)
        }
        var accesses: [Access] = []
        for handle in order {
            let value = Bytes(values[handle] ?? [])
            database.wrote(value, to: handle, time: nil, in: &exchange)
            accesses.append(written(value, handle, &database))
        }
        return accesses
    }
}
