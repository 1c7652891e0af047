// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth
import Foundation

/// The reads and writes of centrals. I5: CoreBluetooth does not report that a central has left before its answer.
final class LocalAccesses {
    typealias Backend = CoreBluetoothPeripheralBackend

    private struct Access {
        let request: CBATTRequest
        let attributes: Set<AttributeID>
        let isRead: Bool
    }

    private var table = AccessTable<Access>()

    // MARK: Callbacks

    /// A central reads. I1: a long value is read in several requests, each with its own offset.
    func reads(_ request: CBATTRequest, _ backend: isolated Backend) {
        guard let manager = backend.radio.poweredOn else { return backend.countStray() }
        guard let attribute = backend.database.id(of: request.characteristic) else {
            return refuse(request, .invalidHandle, manager)
        }
        guard request.offset >= 0 else { return refuse(request, .invalidOffset, manager) }
        let central = Central(request.central)
        backend.updates.noteLength(central, backend)
        for id in table.add(Access(request: request, attributes: [attribute], isRead: true)) {
            let kind = AttributeAccess.Kind.read(offset: request.offset)
            backend.emit(.access(AttributeAccess(id: id, attribute: attribute, central: central, kind: kind)))
        }
    }

    /// A central writes, or several values came close together (I2).
    func writes(_ requests: [CBATTRequest], _ backend: isolated Backend) {
        guard let manager = backend.radio.poweredOn, let first = requests.first else { return backend.countStray() }
        var writes: [WriteParts.Request] = []
        for request in requests {
            guard let attribute = backend.database.id(of: request.characteristic) else {
                return refuse(first, .invalidHandle, manager)
            }
            guard request.offset >= 0 else { return refuse(first, .invalidOffset, manager) }
            writes.append(
                WriteParts.Request(
                    attribute: attribute, offset: request.offset, value: request.value.map { Bytes($0) } ?? Bytes(),
                    kind: WriteRequestKind(backend.database[attribute]?.properties ?? [])))
        }
        let central = Central(first.central)
        backend.updates.noteLength(central, backend)
        let parts = WriteParts(writes).parts
        // All are in the table before the first is reported, because the manager may answer at once.
        let access = Access(request: first, attributes: Set(parts.map(\.attribute)), isRead: false)
        for (id, part) in zip(table.add(access, count: parts.count), parts) {
            let kind = AttributeAccess.Kind.write(part.value, offset: part.offset, part.kind)
            backend.emit(.access(AttributeAccess(id: id, attribute: part.attribute, central: central, kind: kind)))
        }
    }

    // MARK: Answers

    /// Takes the manager's answer, and sends that of the request when it is complete.
    func respond(to access: AccessID, _ result: Result<Bytes, ATTError>, _ manager: CBPeripheralManager) {
        guard let (access, result) = table.answer(access, result) else { return }
        switch result {
        case .failure(let error): refuse(access.request, error, manager)
        case .success(let value):
            // I1: the value goes first. That of a write is the central's own.
            if access.isRead { access.request.value = value.data }
            manager.respond(to: access.request, withResult: .success)
        }
    }

    private func refuse(_ request: CBATTRequest, _ error: ATTError, _ manager: CBPeripheralManager) {
        manager.respond(to: request, withResult: error.code ?? .unlikelyError)
    }

    /// The characteristics are offered no longer, and the manager does not answer their accesses any more.
    func end(of characteristics: Set<AttributeID>, _ manager: CBPeripheralManager) {
        for access in table.take(where: { !$0.attributes.isDisjoint(with: characteristics) }) {
            refuse(access.request, .invalidHandle, manager)
        }
    }

    /// The accesses are over.
    func removeAll() { table.removeAll() }
}

extension Central {
    /// I7: a central is named by a UUID of this host.
    init(_ central: CBCentral) {
        self.init(
            identifier: PeerIdentifier(central.identifier.uuidString),
            maximumUpdateLength: central.maximumUpdateValueLength)
    }
}

extension ATTError {
    /// I6: the enumeration takes any number, with a name or without.
    fileprivate var code: CBATTError.Code? { CBATTError.Code(rawValue: Int(rawValue)) }
}

extension WriteRequestKind {
    /// I3: a request and a command look alike where a characteristic takes both.
    fileprivate init(_ properties: CBCharacteristicProperties) {
        switch (properties.contains(.write), properties.contains(.writeWithoutResponse)) {
        case (true, false): self = .request
        case (false, true): self = .command
        case (true, true), (false, false): self = .unknown
        }
    }
}
#endif
