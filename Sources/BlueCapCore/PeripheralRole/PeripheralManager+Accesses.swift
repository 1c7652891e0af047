// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Reads and writes of centrals, each answered once.
extension PeripheralManager {
    func accessed(_ access: AttributeAccess) {
        switch (attributes[access.attribute], access.kind) {
        case (nil, _): refuse(access, .unlikelyError)
        case (.characteristic(let characteristic), .read(let offset)): read(characteristic, offset, access)
        case (.characteristic(let characteristic), .write(let value, let offset, let kind)):
            write(characteristic, value, offset, kind, access)
        case (.descriptor(let descriptor), .read(let offset)):
            guard descriptor.permissions.allowReading else { return refuse(access, .readNotPermitted) }
            respond(access.id, (descriptor.value ?? Bytes()).answer(from: offset))
        case (.descriptor(let descriptor), .write(let value, let offset, _)):
            guard descriptor.permissions.allowWriting else { return refuse(access, .writeNotPermitted) }
            respond(access.id, descriptor.commit(value, at: offset).map { .failure($0) } ?? .success(Bytes()))
        }
    }

    private func read(_ characteristic: MutableCharacteristic, _ offset: Int, _ access: AttributeAccess) {
        guard characteristic.properties.contains(.read), characteristic.permissions.allowReading else {
            return refuse(access, .readNotPermitted)
        }
        if characteristic.readCaster.consumerCount == 0 {
            return respond(access.id, (characteristic.value ?? Bytes()).answer(from: offset))
        }
        guard let ticket = open(access) else { return }
        let request = AttributeReadRequest(characteristic, offset: offset, central: access.central, ticket: ticket)
        meter.dropped(.request, characteristic.readCaster.push(request))
    }

    private func write(
        _ characteristic: MutableCharacteristic, _ value: Bytes, _ offset: Int, _ kind: WriteRequestKind,
        _ access: AttributeAccess
    ) {
        guard characteristic.properties.allowWriting(kind), characteristic.permissions.allowWriting else {
            return refuse(access, .writeNotPermitted)
        }
        guard offset >= 0, offset <= maximumAttributeLength else { return refuse(access, .invalidOffset) }
        guard value.count <= maximumAttributeLength - offset else {
            return refuse(access, .invalidAttributeValueLength)
        }
        let gate = characteristic.gate
        let isGated = gate?.hasConsumers == true
        if !isGated, characteristic.writeCaster.consumerCount == 0, writeCaster.consumerCount == 0 {
            logger.warning(
                "a write is refused, as no loop over writeRequests() takes it",
                ["characteristic": "\(characteristic.uuid)"])
            return refuse(access, .requestNotSupported)
        }
        guard let ticket = open(access) else { return }
        // Kept by the streams only: when all have let it go without an answer, its end answers.
        let request = WriteRequest(
            characteristic, value: value, offset: offset, kind: kind, central: access.central, ticket: ticket)
        if let gate, isGated { return gate.admit(request, on: self) }
        meter.dropped(.request, characteristic.writeCaster.push(request) + writeCaster.push(request))
    }

    /// Writes an access down until the app has answered it, for as long as it may take; nil, with the access refused,
    /// when too many wait already.
    private func open(_ access: AttributeAccess) -> AccessTicket? {
        if openAccesses.count >= maximumOpenRequests {
            refuse(access, .insufficientResources)
            return nil
        }
        let ticket = AccessTicket(access, manager: self)
        let id = access.id
        let deadline = after(requestTimeLimit) { manager in
            guard let open = manager.openAccesses[id], open.ticket.claim() else { return }
            manager.logger.warning("a request was not answered in time", ["limit": "\(manager.requestTimeLimit)"])
            manager.answer(id, .failure(.unlikelyError))
        }
        openAccesses[id] = OpenAccess(ticket: ticket, attribute: access.attribute, deadline: deadline)
        return ticket
    }

    /// The app, or the deadline, has answered.
    func answer(_ id: AccessID, _ result: Result<Bytes, ATTError>) {
        guard let open = openAccesses.removeValue(forKey: id) else { return }
        cancelDeadline(open.deadline)
        respond(id, result)
    }

    /// The app's error is not one that the platform can send, or not one for this kind of access.
    func replaced(_ error: ATTError) {
        logger.warning(
            "an error cannot be sent here: another is sent in its place",
            ["error": "\(error)", "sent": "\(ATTError.unlikelyError)"])
    }

    /// A central wrote bytes that are no value of the characteristic's type.
    func refusedUndecodable(_ error: SerDeError, _ answer: ATTError) {
        logger.debug("a write is no value of its type", ["error": "\(error)", "answer": "\(answer)"])
    }

    func accessCancelled(_ id: AccessID) {
        guard let open = openAccesses.removeValue(forKey: id) else { return }
        cancelDeadline(open.deadline)
        _ = open.ticket.claim()
    }

    /// Answers the accesses of some attributes that are still open.
    func answerAccesses(with error: ATTError, where isMeant: (AttributeID) -> Bool) {
        for (id, open) in openAccesses where isMeant(open.attribute) && open.ticket.claim() {
            answer(id, .failure(error))
        }
    }

    /// Nobody waits for the answers any more.
    func closeAccesses(where isMeant: (AttributeID) -> Bool) {
        for (id, open) in openAccesses where isMeant(open.attribute) { accessCancelled(id) }
    }

    private func refuse(_ access: AttributeAccess, _ error: ATTError) { respond(access.id, .failure(error)) }

    private func respond(_ id: AccessID, _ result: Result<Bytes, ATTError>) {
        if isClosed { return }
        backend.onExecutor { $0.respond(to: id, result) }
    }
}
