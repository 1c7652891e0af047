// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// A request that is left unanswered until it is released.
struct HeldRequest {
    let attribute: any ValueAttribute
    let operation: VirtualOperation
    let link: VirtualLink
    let run: () -> Void

    func uncount() { attribute.facts.withLock { $0.heldCounts[operation, default: 1] -= 1 } }
}

extension PeripheralNode: AttributeSource {
    // MARK: Requests of centrals

    func read(_ attribute: Attribute, on link: VirtualLink, reply: @escaping (Result<Bytes, ATTError>) -> Void) {
        guard let owner = owner(of: attribute) else { return reply(.failure(.invalidHandle)) }
        gate(owner, .read, on: link) { [self] in
            if let error = owner.facts.withLock({ $0.errors[.read] }) { return reply(.failure(error)) }
            reply(owner.readHandler() ?? .success(owner.facts.withLock { $0.value }))
            happened(.read(owner.uuid))
        }
    }

    func write(
        _ attribute: Attribute, _ part: Bytes, offset: Int, _ kind: WriteRequestKind, on link: VirtualLink,
        reply: @escaping (ATTError?) -> Void
    ) {
        guard let owner = owner(of: attribute) else { return reply(.invalidHandle) }
        let isCommand = kind == .command
        func write() {
            let old = owner.facts.withLock { $0.value }
            guard offset <= old.count else { return reply(.invalidOffset) }
            let value = offset == 0 ? part : Bytes(Array(old.prefix(offset)) + Array(part))
            if !isCommand, let error = owner.facts.withLock({ $0.errors[.write] }) { return reply(error) }
            if case .failure(let error)? = owner.writeHandler(value) { return reply(error) }
            owner.facts.withLock { facts in
                facts.value = value
                if facts.writes.count == AttributeFacts.writeLimit { _ = facts.writes.popFirst() }
                facts.writes.append(VirtualWrite(value: value, wantsResponse: !isCommand))
            }
            reply(nil)
            happened(.written(owner.uuid, VirtualWrite(value: value, wantsResponse: !isCommand)))
        }
        if isCommand { write() } else { gate(owner, .write, on: link, write) }
    }

    func configure(
        _ characteristic: CharacteristicEntry, _ configuration: ClientConfiguration, on link: VirtualLink,
        reply: @escaping (ATTError?) -> Void
    ) {
        guard case .characteristic(let owner)? = layout.owners[characteristic.value] else {
            return reply(.invalidHandle)
        }
        gate(owner, .subscribe, on: link) { [self] in
            if let error = owner.facts.withLock({ $0.errors[.subscribe] }) {
                reply(error)
                return countSubscriptions()
            }
            let isOn = !configuration.isEmpty
            let values = isOn ? owner.facts.withLock { $0.valuesOnSubscription } : []
            for value in values { send(value, characteristic.value, configuration, on: link) }
            if case .failure(let error)? = owner.subscribeHandler(isOn) { reply(error) } else { reply(nil) }
            countSubscriptions()
        }
    }

    private func owner(of attribute: Attribute) -> (any ValueAttribute)? {
        switch layout.owners[attribute.handle] {
        case .characteristic(let characteristic): characteristic
        case .descriptor(let descriptor): descriptor
        case nil: nil
        }
    }

    /// Runs a request, or keeps it while its operation is held.
    private func gate(
        _ attribute: any ValueAttribute, _ operation: VirtualOperation, on link: VirtualLink,
        _ run: @escaping () -> Void
    ) {
        guard attribute.facts.withLock({ $0.held.contains(operation) }) else { return run() }
        held.append(HeldRequest(attribute: attribute, operation: operation, link: link, run: run))
        attribute.facts.withLock { $0.heldCounts[operation, default: 0] += 1 }
        happened(.held(attribute.uuid, operation))
    }

    func forgetHeld(for link: VirtualLink) {
        for request in held where request.link === link { request.uncount() }
        held.removeAll { $0.link === link }
    }

    func release(_ attribute: any ValueAttribute, _ operation: VirtualOperation) {
        let released = held.filter { $0.attribute === attribute && $0.operation == operation }
        held.removeAll { $0.attribute === attribute && $0.operation == operation }
        for request in released {
            request.uncount()
            if request.link.isOpen { request.run() }
        }
    }

    // MARK: Values that it sends by itself

    private func send(_ value: Bytes, _ handle: UInt16, _ configuration: ClientConfiguration, on link: VirtualLink) {
        if configuration.contains(.notify) {
            link.notify(handle, value)
        } else if configuration.contains(.indicate) {
            link.indicate(handle, value)
        }
    }

    /// Sends values to the centrals that subscribed in one of the ways.
    func send(_ values: [Bytes], of characteristic: VirtualCharacteristic, as ways: ClientConfiguration) {
        guard let handle = layout.valueHandles[ObjectIdentifier(characteristic)] else { return }
        for value in values {
            for link in links {
                let configuration = link.session.configurations[handle] ?? []
                send(value, handle, configuration.intersection(ways), on: link)
            }
        }
    }

    /// Calls `finished` when every link has sent its queued packets.
    func flush(_ characteristic: VirtualCharacteristic, _ finished: @escaping (Bool) -> Void) {
        let open = links.filter(\.isOpen)
        var (remaining, isSent) = (open.count, true)
        guard remaining > 0 else { return finished(false) }
        for link in open {
            link.flush { sent in
                isSent = isSent && sent
                remaining -= 1
                if remaining == 0 { finished(isSent) }
            }
        }
    }

    /// Indicates a value; `finished` gets the number of confirmations.
    func indicate(_ value: Bytes, of characteristic: VirtualCharacteristic, _ finished: @escaping (Int) -> Void) {
        guard let handle = layout.valueHandles[ObjectIdentifier(characteristic)] else { return finished(0) }
        let subscribed = links.filter { $0.session.configurations[handle]?.contains(.indicate) ?? false }
        var (remaining, confirmed) = (subscribed.count, 0)
        guard remaining > 0 else { return finished(0) }
        for link in subscribed {
            link.indicate(handle, value) { isConfirmed in
                confirmed += isConfirmed ? 1 : 0
                remaining -= 1
                if remaining == 0 { finished(confirmed) }
            }
        }
    }

    func countSubscriptions() {
        for service in layout.services {
            for characteristic in service.characteristics {
                guard let handle = layout.valueHandles[ObjectIdentifier(characteristic)] else { continue }
                let count = links.count { link in !(link.session.configurations[handle] ?? []).isEmpty }
                let change = characteristic.facts.withLock { facts in
                    let change = count - facts.subscriptions
                    facts.totalSubscriptions += max(0, change)
                    facts.subscriptions = count
                    return change
                }
                if change > 0 { happened(.subscribed(characteristic.uuid)) }
                if change < 0 { happened(.unsubscribed(characteristic.uuid)) }
            }
        }
    }

    // MARK: Services

    /// Replaces the services, and reports the change to the connected centrals.
    func change(to services: [VirtualService], owner: Confined<PeripheralNode>) {
        let gone = layout.change(to: services)
        server.change(to: layout.makeTable())
        for service in layout.services {
            for characteristic in service.characteristics {
                characteristic.facts.withLock { $0.owner = owner }
                for descriptor in characteristic.descriptors { descriptor.facts.withLock { $0.owner = owner } }
            }
        }
        for link in links {
            link.session.configurations = link.session.configurations.filter { layout.owners[$0.key] != nil }
            link.indicate(.servicesChanged(gone))
        }
        countSubscriptions()
    }
}

extension VirtualLink {
    /// Indicates a value, cut to the size of one packet.
    func indicate(_ handle: UInt16, _ value: Bytes, finished: ((Bool) -> Void)? = nil) {
        indicate(.indication(handle, value.part(from: 0, room: maximumTransmissionUnit - 3)), finished: finished)
    }
}
