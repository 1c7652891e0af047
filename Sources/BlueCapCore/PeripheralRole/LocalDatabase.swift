// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The attributes that a manager offers, by the numbers under which its backend knows them.
///
/// Touched on the manager only, and released with it.
final class LocalDatabase {
    /// A characteristic or descriptor that a central reads or writes.
    enum Attribute {
        case characteristic(MutableCharacteristic)
        case descriptor(MutableDescriptor)
    }

    private let meter: RadioMeter
    /// The services that are, or are to be, added.
    private var services: [AttributeID: MutableService] = [:]
    private var attributes: [AttributeID: Attribute] = [:]
    private var lastNumber: UInt32 = 0

    init(meter: RadioMeter) { self.meter = meter }

    /// The manager was released: everything can be added to another one.
    deinit {
        for service in services.values { service.facts.withLock { $0.registration = nil } }
        for characteristic in characteristics {
            characteristic.managerEnded()
            characteristic.meterDrops(meter)
        }
    }

    /// How many characteristics and descriptors there are.
    var count: Int { attributes.count }

    var characteristics: [MutableCharacteristic] {
        attributes.values.compactMap { attribute in
            if case .characteristic(let characteristic) = attribute { characteristic } else { nil }
        }
    }

    subscript(id: AttributeID) -> Attribute? { attributes[id] }

    func characteristic(at id: AttributeID) -> MutableCharacteristic? {
        if case .characteristic(let characteristic)? = attributes[id] { characteristic } else { nil }
    }

    /// Takes the service and its characteristics for the manager, and gives them their numbers.
    ///
    /// - Parameters:
    ///   - service: The service to add.
    ///   - handle: The place to ask for; 0 for any place, which is then reported, and nil for any.
    ///   - included: The numbers of the services that it includes.
    ///   - owner: The manager.
    func claim(
        _ service: MutableService, handle: UInt16?, including included: [AttributeID],
        _ owner: isolated some PeripheralOwner
    ) throws(PeripheralManagerError) -> LocalService {
        let id = makeNumber()
        guard service.facts.withLock({ $0.registration.claim(for: owner.manager, id) }) else {
            throw .alreadyAdded(service.uuid)
        }
        services[id] = service
        var locals: [LocalCharacteristic] = []
        var claimed: [MutableCharacteristic] = []
        for characteristic in service.characteristics {
            let number = makeNumber()
            let isClaimed = characteristic.facts.withLock { facts in
                if !facts.registration.claim(for: owner.manager, number) { return false }
                facts.hasManagerEnded = false
                return true
            }
            guard isClaimed else {
                for other in claimed { free(other, owner) }
                free(service, id)
                throw .alreadyAdded(characteristic.uuid)
            }
            claimed.append(characteristic)
            characteristic.joined(service)
            attributes[number] = .characteristic(characteristic)
            locals.append(local(characteristic, number, owner))
        }
        return LocalService(
            id: id, uuid: service.uuid, isPrimary: service.isPrimary, handle: handle, includedServices: included,
            characteristics: locals)
    }

    private func local(
        _ characteristic: MutableCharacteristic, _ id: AttributeID, _ owner: isolated some PeripheralOwner
    ) -> LocalCharacteristic {
        if owner.backend.features.contains(.confirmsAmbiguousWrites),
            characteristic.properties.isSuperset(of: [.write, .writeWithoutResponse])
        {
            owner.logger.warning(
                "a characteristic offers both kinds of writes: the platform answers them with success by itself",
                ["characteristic": "\(characteristic.uuid)"])
        }
        let descriptors = characteristic.descriptors.map { descriptor in
            let id = makeNumber()
            attributes[id] = .descriptor(descriptor)
            characteristic.facts.withLock { $0.descriptorIDs.append(id) }
            return LocalDescriptor(
                id: id, uuid: descriptor.uuid, permissions: descriptor.permissions, value: descriptor.value)
        }
        return LocalCharacteristic(
            id: id, uuid: characteristic.uuid, properties: characteristic.properties,
            permissions: characteristic.permissions, descriptors: descriptors,
            usesWriteSocket: characteristic.usesWriteSocket)
    }

    /// Frees the handles of a service: accesses to it are over, and it can be added again.
    func release(_ service: MutableService, _ local: LocalService, _ owner: isolated some PeripheralOwner) {
        free(service, local.id)
        for local in local.characteristics {
            if let characteristic = characteristic(at: local.id) { free(characteristic, owner) }
        }
    }

    private func free(_ service: MutableService, _ id: AttributeID) {
        services[id] = nil
        service.facts.withLock { $0.registration = nil }
    }

    private func free(_ characteristic: MutableCharacteristic, _ owner: isolated some PeripheralOwner) {
        let hasManagerEnded = owner.isInvalidated
        let (id, descriptors) = characteristic.facts.withLock { facts in
            defer {
                facts.registration = nil
                facts.hasManagerEnded = hasManagerEnded
                facts.descriptorIDs = []
                facts.queue.removeAll()
            }
            return (facts.registration?.id, facts.descriptorIDs)
        }
        owner.updates.endSubscriptions(to: characteristic, owner)
        guard let id else { return }
        attributes[id] = nil
        for descriptor in descriptors { attributes[descriptor] = nil }
        owner.server.failAll(to: id, owner)
    }

    private func makeNumber() -> AttributeID {
        lastNumber += 1
        return AttributeID(rawValue: lastNumber)
    }
}

extension HandleRegistration? {
    /// Takes a handle for a manager; returns false if a manager has it.
    fileprivate mutating func claim(for manager: PeripheralManager?, _ id: AttributeID) -> Bool {
        if self != nil { return false }
        self = HandleRegistration(manager: manager, id: id)
        return true
    }
}

extension MutableCharacteristic {
    fileprivate func managerEnded() {
        facts.withLock { facts in
            facts.registration = nil
            facts.hasManagerEnded = true
            facts.descriptorIDs = []
            facts.subscribers = []
            facts.queue.removeAll()
        }
        endStreams()
    }
}
