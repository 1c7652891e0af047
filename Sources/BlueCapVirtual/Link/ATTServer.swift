// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Keeps the values behind a server's attributes: a virtual peripheral, or a program's own database.
///
/// Each `reply` is called once, now or later; after the link has ended it does nothing.
protocol AttributeSource: AnyObject {
    func read(_ attribute: Attribute, on link: VirtualLink, reply: @escaping (Result<Bytes, ATTError>) -> Void)
    func write(
        _ attribute: Attribute, _ value: Bytes, offset: Int, _ kind: WriteRequestKind, on link: VirtualLink,
        reply: @escaping (ATTError?) -> Void)
    /// A client's configuration of a characteristic is about to change; notifications sent from here on already count.
    func configure(
        _ characteristic: CharacteristicEntry, _ configuration: ClientConfiguration, on link: VirtualLink,
        reply: @escaping (ATTError?) -> Void)
}

/// The notifications and indications that a client switched on (Core Specification, Vol 3, Part G, 3.3.3.3).
struct ClientConfiguration: OptionSet, Hashable {
    let rawValue: UInt16

    static let notify = Self(rawValue: 1)
    static let indicate = Self(rawValue: 2)
}

/// A server's state for one link.
struct ServerSession {
    var configurations: [UInt16: ClientConfiguration] = [:]
    var prepared: [(handle: UInt16, offset: Int, value: Bytes)] = []
    /// The value that a long read began with, so that all its parts come from one value.
    var longRead: (handle: UInt16, value: Bytes)?
    /// Indications that wait for the confirmation of the one in flight.
    var indications = RingBuffer<QueuedIndication>()
    var inFlight: QueuedIndication?
}

/// An indication, and the handler of its confirmation.
struct QueuedIndication {
    var packet: Downstream
    var finished: ((Bool) -> Void)?
}

/// The server's half of the Attribute Protocol: finds attributes, checks rights, cuts values into packets.
final class ATTServer {
    private(set) var table = AttributeTable()
    /// Counts the changes of the table; a client's stack learns of a change as from the database hash.
    private(set) var version = 0
    var maximumTransmissionUnit: Int
    unowned let source: any AttributeSource

    init(source: any AttributeSource, maximumTransmissionUnit: Int) {
        self.source = source
        self.maximumTransmissionUnit = maximumTransmissionUnit
    }

    func change(to table: AttributeTable) {
        self.table = table
        version += 1
    }

    func hasPrimaryService(among uuids: [BluetoothUUID]) -> Bool {
        table.attributes.contains { attribute in
            guard case .service(let entry) = attribute.kind else { return false }
            return entry.isPrimary && uuids.contains(entry.uuid)
        }
    }

    func handle(_ request: ATTRequest, on link: VirtualLink, reply: @escaping (ATTResult) -> Void) {
        switch request {
        case .exchangeMTU(let client):
            let own = maximumTransmissionUnit
            reply(.success(.maximumTransmissionUnit(own)))
            link.maximumTransmissionUnit = max(23, min(client, own))
        case .readServices, .readIncludes, .readCharacteristics, .findInformation:
            reply(discover(request, room: link.maximumTransmissionUnit - 2))
        case .read(let handle):
            read(handle, on: link, reply: reply)
        case .readBlob(let handle, let offset):
            readBlob(handle, offset, on: link, reply: reply)
        case .write(let handle, let value):
            write(handle, value, .request, on: link) { reply($0.map { .failure($0) } ?? .success(.done)) }
        case .prepareWrite(let handle, let offset, let value):
            reply(prepare(handle, offset, value, on: link))
        case .executeWrite(let commit):
            let prepared = link.session.prepared
            link.session.prepared = []
            guard commit else { return reply(.success(.done)) }
            execute(prepared[...], on: link, reply: reply)
        }
    }

    /// A Write Command: no answer, no error.
    func handleCommand(_ handle: UInt16, _ value: Bytes, on link: VirtualLink) {
        guard case .value(let entry)? = table[handle]?.kind, entry.properties.contains(.writeWithoutResponse) else {
            return
        }
        write(handle, value, .command, on: link) { _ in }
    }

    // MARK: Reading

    private func read(_ handle: UInt16, on link: VirtualLink, reply: @escaping (ATTResult) -> Void) {
        value(handle, on: link) { result in
            switch result {
            case .success(let value):
                let room = link.maximumTransmissionUnit - 1
                link.session.longRead = value.count < room ? nil : (handle, value)
                reply(.success(.value(value.part(from: 0, room: room))))
            case .failure(let error):
                reply(.failure(error))
            }
        }
    }

    private func readBlob(_ handle: UInt16, _ offset: Int, on link: VirtualLink, reply: @escaping (ATTResult) -> Void) {
        func answer(_ value: Bytes) {
            guard offset <= value.count else { return reply(.failure(.invalidOffset)) }
            reply(.success(.value(value.part(from: offset, room: link.maximumTransmissionUnit - 1))))
        }
        if let started = link.session.longRead, started.handle == handle { return answer(started.value) }
        value(handle, on: link) { result in
            switch result {
            case .success(let value): answer(value)
            case .failure(let error): reply(.failure(error))
            }
        }
    }

    private func value(_ handle: UInt16, on link: VirtualLink, reply: @escaping (Result<Bytes, ATTError>) -> Void) {
        guard let attribute = table[handle] else { return reply(.failure(.invalidHandle)) }
        guard let level = attribute.permissions.readLevel else { return reply(.failure(.readNotPermitted)) }
        if let error = link.denial(level) { return reply(.failure(error)) }
        switch attribute.kind {
        case .configuration(let characteristic):
            let bits = link.session.configurations[characteristic.value]?.rawValue ?? 0
            reply(.success([UInt8(bits & 0xFF), UInt8(bits >> 8)]))
        case .value, .descriptor:
            source.read(attribute, on: link, reply: reply)
        case .service, .include, .declaration:
            reply(.failure(.readNotPermitted))
        }
    }

    // MARK: Writing

    private func write(
        _ handle: UInt16, _ value: Bytes, offset: Int = 0, _ kind: WriteRequestKind, on link: VirtualLink,
        reply: @escaping (ATTError?) -> Void
    ) {
        guard let attribute = table[handle] else { return reply(.invalidHandle) }
        if case .configuration(let characteristic) = attribute.kind {
            return configure(characteristic, value, on: link, reply: reply)
        }
        if let error = writeDenial(attribute, isCommand: kind == .command, on: link) {
            return reply(error)
        }
        guard offset + value.count <= attribute.maximumLength else { return reply(.invalidAttributeValueLength) }
        source.write(attribute, value, offset: offset, kind, on: link, reply: reply)
    }

    private func configure(
        _ characteristic: CharacteristicEntry, _ value: Bytes, on link: VirtualLink,
        reply: @escaping (ATTError?) -> Void
    ) {
        guard value.count == 2, let low = value.first else { return reply(.invalidAttributeValueLength) }
        let configuration = ClientConfiguration(rawValue: UInt16(low))
        let properties = characteristic.properties
        if configuration.contains(.notify), !properties.contains(.notify) { return reply(.clientConfigurationImproper) }
        if configuration.contains(.indicate), !properties.contains(.indicate) {
            return reply(.clientConfigurationImproper)
        }
        let isEncrypted =
            configuration.contains(.notify) && properties.contains(.notifyEncryptionRequired)
            || configuration.contains(.indicate) && properties.contains(.indicateEncryptionRequired)
        let level = table[characteristic.value]?.permissions.subscriptionLevel(isEncrypted: isEncrypted) ?? .open
        if !configuration.isEmpty, let error = link.denial(level) { return reply(error) }
        let previous = link.session.configurations[characteristic.value]
        link.session.configurations[characteristic.value] = configuration
        source.configure(characteristic, configuration, on: link) { error in
            if error != nil { link.session.configurations[characteristic.value] = previous }
            reply(error)
        }
    }

    private func prepare(_ handle: UInt16, _ offset: Int, _ value: Bytes, on link: VirtualLink) -> ATTResult {
        guard let attribute = table[handle] else { return .failure(.invalidHandle) }
        if let error = writeDenial(attribute, isCommand: false, on: link) { return .failure(error) }
        guard link.session.prepared.count < 64 else { return .failure(.prepareQueueFull) }
        link.session.prepared.append((handle, offset, value))
        return .success(.done)
    }

    /// Writes the prepared parts, attribute by attribute in the order of their first parts.
    private func execute(
        _ prepared: ArraySlice<(handle: UInt16, offset: Int, value: Bytes)>, on link: VirtualLink,
        reply: @escaping (ATTResult) -> Void
    ) {
        guard let first = prepared.first else { return reply(.success(.done)) }
        var value: [UInt8] = []
        for part in prepared where part.handle == first.handle {
            guard part.offset == first.offset + value.count else { return reply(.failure(.invalidOffset)) }
            value += part.value
        }
        let rest = prepared.filter { $0.handle != first.handle }
        write(first.handle, Bytes(value), offset: first.offset, .prepared, on: link) { error in
            if let error { return reply(.failure(error)) }
            self.execute(rest[...], on: link, reply: reply)
        }
    }

    // MARK: Rights

    private func writeDenial(_ attribute: Attribute, isCommand: Bool, on link: VirtualLink) -> ATTError? {
        switch attribute.kind {
        case .value(let entry) where !isCommand && !entry.properties.contains(.write):
            return .writeNotPermitted
        case .service, .include, .declaration:
            return .writeNotPermitted
        default:
            guard let level = attribute.permissions.writeLevel else { return .writeNotPermitted }
            return link.denial(level)
        }
    }
}

extension Bytes {
    func part(from offset: Int, room: Int) -> Bytes { Bytes(Array(dropFirst(offset).prefix(room))) }
}

extension ATTServer {
    /// Answers a discovery request with as many entries as one packet holds; all in one packet have UUIDs of one size.
    func discover(_ request: ATTRequest, room: Int) -> ATTResult {
        switch request {
        case .readServices(let first):
            let entries = table.attributes(from: first, to: .max).compactMap { attribute -> ServiceEntry? in
                if case .service(let entry) = attribute.kind, entry.isPrimary { return entry }
                return nil
            }
            return answer(entries, room: room, size: { 4 + $0.uuid.packetSize }, ATTResponse.services)
        case .readIncludes(let first, let last):
            let entries = table.attributes(from: first, to: last).compactMap { attribute -> IncludeEntry? in
                if case .include(let entry) = attribute.kind { return entry }
                return nil
            }
            return answer(entries, room: room, size: { $0.service.uuid.uint16 == nil ? 6 : 8 }, ATTResponse.includes)
        case .readCharacteristics(let first, let last):
            let entries = table.attributes(from: first, to: last).compactMap { attribute -> CharacteristicEntry? in
                if case .declaration(let entry) = attribute.kind { return entry }
                return nil
            }
            return answer(entries, room: room, size: { 5 + $0.uuid.packetSize }, ATTResponse.characteristics)
        case .findInformation(let first, let last):
            let entries = table.attributes(from: first, to: last).map {
                InformationEntry(handle: $0.handle, uuid: $0.uuid)
            }
            return answer(entries, room: room, size: { 2 + $0.uuid.packetSize }, ATTResponse.information)
        default:
            return .failure(.requestNotSupported)
        }
    }

    private func answer<Entry>(
        _ entries: [Entry], room: Int, size: (Entry) -> Int, _ response: ([Entry]) -> ATTResponse
    ) -> ATTResult {
        guard let first = entries.first else { return .failure(.attributeNotFound) }
        let length = size(first)
        let fitting = entries.prefix { size($0) == length }.prefix(max(1, room / length))
        return .success(response(Array(fitting)))
    }
}
