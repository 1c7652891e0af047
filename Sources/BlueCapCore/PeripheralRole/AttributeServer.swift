// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The attribute server of a manager: reads and writes of centrals, each answered once.
///
/// Touched on the manager only.
final class AttributeServer {
    /// An access that the app has to answer.
    private struct OpenAccess {
        let ticket: AccessTicket
        let attribute: AttributeID
        var central: PeerIdentifier?
        let deadline: DeadlineToken
    }

    private let database: LocalDatabase
    private let maximumOpenCount: Int
    private let timeLimit: Duration
    /// The manager's streams of the writes to any characteristic.
    private let writes: Multicaster<WriteRequest>
    private var openAccesses: OrderedTable<AccessID, OpenAccess> = [:]

    /// Creates a server without open accesses.
    ///
    /// - Parameters:
    ///   - database: The attributes that centrals find.
    ///   - configuration: The limits of the manager.
    ///   - platformLimit: The time after which the platform gives an access up; nil if it does not.
    ///   - writes: The streams that receive the writes to any characteristic.
    init(
        _ database: LocalDatabase, _ configuration: PeripheralManager.Configuration, platformLimit: Duration?,
        writes: Multicaster<WriteRequest>
    ) {
        self.database = database
        maximumOpenCount = max(configuration.maximumOpenRequests, 1)
        timeLimit = configuration.requestTimeLimit ?? platformLimit.map { $0 * 4 / 5 } ?? .seconds(25)
        self.writes = writes
    }

    /// How many accesses wait for the app's answer.
    var openCount: Int { openAccesses.count }

    /// A central reads or writes an attribute.
    func accessed(_ access: AttributeAccess, _ owner: isolated some PeripheralOwner) {
        if owner.links.isRefused(access.central) { return refuse(access, .insufficientResources, owner) }
        var access = access
        access.central = access.central.map { owner.links.seen($0, owner) }
        switch (database[access.attribute], access.kind) {
        case (nil, _): refuse(access, .unlikelyError, owner)
        case (.characteristic(let characteristic), .read(let offset)): read(characteristic, offset, access, owner)
        case (.characteristic(let characteristic), .write(let value, let offset, let kind)):
            write(characteristic, value, offset, kind, access, owner)
        case (.descriptor(let descriptor), .read(let offset)):
            guard descriptor.permissions.allowReading else { return refuse(access, .readNotPermitted, owner) }
            respond(access.id, (descriptor.value ?? Bytes()).answer(from: offset), owner)
        case (.descriptor(let descriptor), .write(let value, let offset, _)):
            guard descriptor.permissions.allowWriting else { return refuse(access, .writeNotPermitted, owner) }
            respond(access.id, descriptor.commit(value, at: offset).map { .failure($0) } ?? .success(Bytes()), owner)
        }
    }

    private func read(
        _ characteristic: MutableCharacteristic, _ offset: Int, _ access: AttributeAccess,
        _ owner: isolated some PeripheralOwner
    ) {
        guard characteristic.properties.contains(.read), characteristic.permissions.allowReading else {
            return refuse(access, .readNotPermitted, owner)
        }
        if characteristic.readCaster.consumerCount == 0 {
            return respond(access.id, (characteristic.value ?? Bytes()).answer(from: offset), owner)
        }
        guard let ticket = open(access, owner) else { return lost(countedBy: characteristic.readCaster, owner) }
        let request = AttributeReadRequest(characteristic, offset: offset, central: access.central, ticket: ticket)
        let droppedCount = characteristic.readCaster.push(request)
        if droppedCount == 0 { return }
        owner.meter.dropped(.request, droppedCount)
        owner.logger.warning(
            "reads are refused, as a stream of readRequests() is full", ["characteristic": "\(characteristic.uuid)"])
    }

    private func write(
        _ characteristic: MutableCharacteristic, _ value: Bytes, _ offset: Int, _ kind: WriteRequestKind,
        _ access: AttributeAccess, _ owner: isolated some PeripheralOwner
    ) {
        guard characteristic.properties.allowWriting(kind), characteristic.permissions.allowWriting else {
            return refuse(access, .writeNotPermitted, owner)
        }
        guard offset >= 0, offset <= maximumAttributeLength else { return refuse(access, .invalidOffset, owner) }
        guard value.count <= maximumAttributeLength - offset else {
            return refuse(access, .invalidAttributeValueLength, owner)
        }
        let gate = characteristic.gate
        let isGated = gate?.hasConsumers == true
        let isAwaited = isAwaited(kind, characteristic.properties, owner)
        if !isGated, characteristic.writeCaster.consumerCount == 0, writes.consumerCount == 0 {
            owner.logger.warning(
                "a write is refused, as no loop over writeRequests() takes it",
                ["characteristic": "\(characteristic.uuid)"])
            if !isAwaited { lost(countedBy: characteristic.writeCaster, owner) }
            return refuse(access, .requestNotSupported, owner)
        }
        guard
            let ticket = isAwaited
                ? open(access, owner) : AccessTicket(access, manager: owner.manager, isAwaited: false)
        else {
            return lost(countedBy: characteristic.writeCaster, owner)
        }
        // A command is over for the platform at once, and stays valid when its central leaves.
        if !isAwaited { respond(access.id, .success(Bytes()), owner) }
        // Kept by the streams only: when all have let it go without an answer, its end answers.
        let request = WriteRequest(
            characteristic, value: value, offset: offset, kind: kind, central: access.central, ticket: ticket)
        if let gate, isGated { return gate.admit(request, on: owner) }
        let droppedCount = characteristic.writeCaster.push(request) + writes.push(request)
        if droppedCount == 0 { return }
        owner.meter.dropped(.request, droppedCount)
        owner.logger.warning(
            "writes are dropped, as a stream of writeRequests() is full", ["characteristic": "\(characteristic.uuid)"])
    }

    /// Whether the central or the platform waits for the answer to a write. The answer to a command reaches nobody, and
    /// where the platform confirms writes by itself, neither does that to a write that may be one.
    private func isAwaited(
        _ kind: WriteRequestKind, _ properties: CharacteristicProperties, _ owner: isolated some PeripheralOwner
    ) -> Bool {
        switch kind {
        case .request, .prepared: true
        case .command: false
        case .unknown:
            !properties.contains(.writeWithoutResponse)
                || !owner.backend.features.contains(.confirmsAmbiguousWrites)
        }
    }

    /// Counts a request that reaches no stream.
    private func lost<Request>(countedBy caster: Multicaster<Request>, _ owner: isolated some PeripheralOwner) {
        caster.countDropped(1)
        owner.meter.dropped(.request, 1)
    }

    /// Writes an access down until the app has answered it, for as long as it may take; nil, with the access refused,
    /// when too many wait already.
    private func open(_ access: AttributeAccess, _ owner: isolated some PeripheralOwner) -> AccessTicket? {
        if openAccesses.count >= maximumOpenCount {
            owner.logger.warning(
                "requests are refused, as too many wait for the app's answer", ["limit": "\(maximumOpenCount)"])
            refuse(access, .insufficientResources, owner)
            return nil
        }
        let ticket = AccessTicket(access, manager: owner.manager)
        let id = access.id
        let deadline = owner.after(timeLimit) { $0.server.timedOut(id, $0) }
        openAccesses[id] = OpenAccess(
            ticket: ticket, attribute: access.attribute, central: access.central?.identifier, deadline: deadline)
        return ticket
    }

    private func timedOut(_ id: AccessID, _ owner: isolated some PeripheralOwner) {
        guard let open = openAccesses[id], open.ticket.claim() else { return }
        owner.logger.warning("a request was not answered in time", ["limit": "\(timeLimit)"])
        answer(id, .failure(.unlikelyError), owner)
    }

    /// The app, or the deadline, has answered.
    func answer(_ id: AccessID, _ result: Result<Bytes, ATTError>, _ owner: isolated some PeripheralOwner) {
        guard let open = openAccesses.removeValue(forKey: id) else { return }
        owner.cancelDeadline(open.deadline)
        respond(id, result, owner)
    }

    /// The central, or the link to it, has given an access up.
    func cancelled(_ id: AccessID, _ owner: isolated some PeripheralOwner) {
        guard let open = openAccesses.removeValue(forKey: id) else { return }
        owner.cancelDeadline(open.deadline)
        _ = open.ticket.claim()
    }

    /// A central has another identifier: its open accesses are those of the new one.
    func centralRenamed(_ former: PeerIdentifier, to present: PeerIdentifier) {
        for (id, open) in openAccesses where open.central == former { openAccesses[id]?.central = present }
    }

    /// The link of a central has ended: closes its open accesses, and returns how many waited for the app's answer.
    func centralLeft(_ central: PeerIdentifier, _ owner: isolated some PeripheralOwner) -> Int {
        var count = 0
        for (id, open) in openAccesses where open.central == central {
            openAccesses[id] = nil
            owner.cancelDeadline(open.deadline)
            count += open.ticket.claim() ? 1 : 0
        }
        return count
    }

    /// Answers the open accesses to an attribute, or all of them, with `.unlikelyError`.
    func failAll(to attribute: AttributeID? = nil, _ owner: isolated some PeripheralOwner) {
        for (id, open) in openAccesses where (attribute ?? open.attribute) == open.attribute && open.ticket.claim() {
            answer(id, .failure(.unlikelyError), owner)
        }
    }

    /// Closes all accesses without an answer, because no central waits any more.
    func closeAll(_ owner: isolated some PeripheralOwner) { for (id, _) in openAccesses { cancelled(id, owner) } }

    private func refuse(_ access: AttributeAccess, _ error: ATTError, _ owner: isolated some PeripheralOwner) {
        respond(access.id, .failure(error), owner)
    }

    private func respond(_ id: AccessID, _ result: Result<Bytes, ATTError>, _ owner: isolated some PeripheralOwner) {
        if owner.isClosed { return }
        owner.backend.onExecutor { $0.respond(to: id, result) }
    }
}
