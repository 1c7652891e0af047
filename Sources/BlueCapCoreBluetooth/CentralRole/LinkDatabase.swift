// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth

/// The attributes of a connected peripheral: their discovery, their objects and their numbers.
final class LinkDatabase {
    typealias Backend = CoreBluetoothCentralBackend

    private unowned let link: CentralLink
    private var attributes: ObjectTable<CBAttribute>
    /// The object of the last look-up, and its number, which stays the same until the objects are forgotten.
    private var latest: (attribute: CBAttribute, id: AttributeID)?

    init(_ link: CentralLink, _ numbers: AttributeNumbers) {
        self.link = link
        attributes = ObjectTable(numbers)
    }

    /// The object of a number, if it is one of this class; nil for an attribute that is gone.
    func object<Attribute: CBAttribute>(_ id: AttributeID) -> Attribute? { attributes[id] as? Attribute }

    /// The number of an object; nil for one that is void.
    func id(of attribute: CBAttribute) -> AttributeID? {
        if let latest, latest.attribute === attribute { return latest.id }
        guard let id = attributes.id(of: attribute) else { return nil }
        latest = (attribute, id)
        return id
    }

    // MARK: Changes of the services

    /// A change of the services.
    struct Change {
        /// The services whose objects are void.
        let gone: Set<AttributeID>
        /// The list of services for the manager; nil where none is left.
        let reported: [AttributeID]?
    }

    /// D3: void are the services that the system names, and those that the peripheral does not list any more.
    func change(_ invalidated: [CBService]) -> Change {
        let named = Set(invalidated.map(ObjectIdentifier.init))
        var kept: Set<AttributeID> = []
        var open = link.peripheral.services ?? []
        while let service = open.popLast() {
            guard !named.contains(ObjectIdentifier(service)), let id = attributes.id(of: service),
                kept.insert(id).inserted
            else { continue }
            open += service.includedServices ?? []
        }
        let gone = attributes.ids { $0 is CBService }.subtracting(kept)
        return Change(gone: gone, reported: kept.isEmpty ? nil : gone.sorted())
    }

    /// The objects of services, and of all that is in them, are void; the numbers stay.
    func forgetObjects(of services: Set<AttributeID>) {
        attributes.forgetObjects(of: services)
        latest = nil
    }

    // MARK: Services

    /// Asks for the services of the peripheral. D2: the answer can stay away, and then the request waits for good, so
    /// that a late answer goes to it.
    func discoverServices(_ uuids: [BluetoothUUID]?, _ request: RequestID) {
        link.requests.add(request, asking: uuids, to: .services)
        link.peripheral.discoverServices(uuids?.map(\.object))
    }

    /// The services have come.
    func servicesFound(_ error: PlatformError?, _ backend: isolated Backend) {
        let numbered = numberServices(of: link.peripheral, backend)
        // C14: from now on the length is the true one.
        link.noteLength { backend.emit($0) }
        finish(.services, error, backend) { .services(Self.asked(numbered, $0, \.uuid)) }
    }

    /// Asks for the services that a service includes.
    func discoverIncludedServices(
        of service: AttributeID, _ uuids: [BluetoothUUID]?, _ request: RequestID, _ backend: isolated Backend
    ) {
        guard let object: CBService = object(service) else { return backend.refuseGone(request) }
        link.requests.add(request, asking: uuids, to: .includedServices(service))
        link.peripheral.discoverIncludedServices(uuids?.map(\.object), for: object)
    }

    /// The services that a service includes have come.
    func includedServicesFound(_ service: CBService, _ error: PlatformError?, _ backend: isolated Backend) {
        guard let id = id(of: service) else { return backend.countStray() }
        let numbered = numberIncludedServices(of: service, id, backend)
        finish(.includedServices(id), error, backend) { .services(Self.asked(numbered, $0, \.uuid)) }
    }

    private func numberIncludedServices(
        of service: CBService, _ id: AttributeID, _ backend: isolated Backend
    ) -> [DiscoveredService] {
        let list = Self.usable(service.includedServices, backend)
        let ids = attributes.numberIncluded(list.map { ($0.object, $0.uuid, $0.object.isPrimary) }, in: id)
        return Self.paired(list, ids, backend) { DiscoveredService(id: $2, uuid: $1, isPrimary: $0.isPrimary) }
    }

    /// Numbers the services that CoreBluetooth lists.
    private func numberServices(of peripheral: CBPeripheral, _ backend: isolated Backend) -> [DiscoveredService] {
        let list = Self.usable(peripheral.services, backend)
        let ids = attributes.number(list.map { ($0.object, $0.uuid) }, as: .service, in: nil)
        return Self.paired(list, ids, backend) { DiscoveredService(id: $2, uuid: $1, isPrimary: $0.isPrimary) }
    }

    // MARK: Characteristics

    /// Asks for the characteristics of a service.
    func discoverCharacteristics(
        of service: AttributeID, _ uuids: [BluetoothUUID]?, _ request: RequestID, _ backend: isolated Backend
    ) {
        guard let object: CBService = object(service) else { return backend.refuseGone(request) }
        link.requests.add(request, asking: uuids, to: .characteristics(service))
        link.peripheral.discoverCharacteristics(uuids?.map(\.object), for: object)
    }

    /// The characteristics of a service have come.
    func characteristicsFound(_ service: CBService, _ error: PlatformError?, _ backend: isolated Backend) {
        guard let id = id(of: service) else { return backend.countStray() }
        let numbered = numberCharacteristics(of: service, id, backend)
        finish(.characteristics(id), error, backend) { .characteristics(Self.asked(numbered, $0, \.uuid)) }
        for value in backend.earlyValues.take(link.id, { self.id(of: $0) }) {
            backend.emit(.valueChanged(link.id, value.characteristic, value.bytes))
        }
    }

    private func numberCharacteristics(
        of service: CBService, _ id: AttributeID, _ backend: isolated Backend
    ) -> [DiscoveredCharacteristic] {
        let list = Self.usable(service.characteristics, backend)
        let ids = attributes.number(list.map { ($0.object, $0.uuid) }, as: .characteristic, in: id)
        return Self.paired(list, ids, backend) {
            DiscoveredCharacteristic(id: $2, uuid: $1, properties: CharacteristicProperties($0.properties))
        }
    }

    // MARK: Descriptors

    /// Asks for the descriptors of a characteristic.
    func discoverDescriptors(
        of characteristic: AttributeID, _ request: RequestID, _ backend: isolated Backend
    ) {
        guard let object: CBCharacteristic = object(characteristic) else { return backend.refuseGone(request) }
        link.requests.add(request, to: .descriptors(characteristic))
        link.peripheral.discoverDescriptors(for: object)
    }

    /// The descriptors of a characteristic have come.
    func descriptorsFound(
        _ characteristic: CBCharacteristic, _ error: PlatformError?, _ backend: isolated Backend
    ) {
        guard let id = id(of: characteristic) else { return backend.countStray() }
        let list = Self.usable(characteristic.descriptors, backend)
        let ids = attributes.number(list.map { ($0.object, $0.uuid) }, as: .descriptor, in: id)
        let numbered = Self.paired(list, ids, backend) { DiscoveredDescriptor(id: $2, uuid: $1) }
        finish(.descriptors(id), error, backend) { _ in .descriptors(numbered) }
    }

    // MARK: Restoration

    /// Numbers a restored peripheral's attributes, as far as they are known, and returns those that notify.
    ///
    /// The numbers are those that the same attributes get when they are discovered on the link to come.
    func subscriptions(_ backend: isolated Backend) -> [CentralRestoration.Subscription] {
        var found: [CentralRestoration.Subscription] = []
        for service in numberServices(of: link.peripheral, backend) {
            guard let object: CBService = object(service.id) else { continue }
            found += subscriptions(in: service, backend)
            for inner in numberIncludedServices(of: object, service.id, backend) where !inner.isPrimary {
                found += subscriptions(in: inner, includedBy: service, backend)
            }
        }
        return found
    }

    private func subscriptions(
        in service: DiscoveredService, includedBy outer: DiscoveredService? = nil, _ backend: isolated Backend
    ) -> [CentralRestoration.Subscription] {
        guard let object: CBService = object(service.id) else { return [] }
        return numberCharacteristics(of: object, service.id, backend).compactMap { characteristic in
            guard let object: CBCharacteristic = self.object(characteristic.id), object.isNotifying else { return nil }
            return CentralRestoration.Subscription(
                service: service, characteristic: characteristic, includingService: outer)
        }
    }

    // MARK: Answers

    /// Answers the oldest request of a line.
    private func finish(
        _ line: RequestQueues.Line, _ error: PlatformError?, _ backend: isolated Backend,
        _ reply: ([BluetoothUUID]?) -> CentralReply
    ) {
        guard let request = link.requests.take(line) else { return backend.countStray() }
        let result = error.map { Result.failure($0.operationFailure) } ?? .success(reply(request.uuids))
        backend.emit(.reply(request.id, result))
    }

    /// D1: a list may have the finds of earlier discoveries, too.
    private static func asked<Found>(
        _ found: [Found], _ uuids: [BluetoothUUID]?, _ uuid: KeyPath<Found, BluetoothUUID>
    ) -> [Found] {
        guard let uuids else { return found }
        let wanted = Set(uuids)
        return found.filter { wanted.contains($0[keyPath: uuid]) }
    }

    /// The listed objects with their UUIDs, without those whose UUID is not usable.
    private static func usable<Attribute: CBAttribute>(
        _ list: [Attribute]?, _ backend: isolated Backend
    ) -> [(object: Attribute, uuid: BluetoothUUID)] {
        let list = list ?? []
        let usable = list.compactMap { object in BluetoothUUID(object.uuid).map { (object, $0) } }
        backend.statistics.droppedAttributes += list.count - usable.count
        return usable
    }

    /// Makes a value of each object that has a number.
    private static func paired<Attribute, Found>(
        _ list: [(object: Attribute, uuid: BluetoothUUID)], _ ids: [AttributeID?], _ backend: isolated Backend,
        _ make: (Attribute, BluetoothUUID, AttributeID) -> Found
    ) -> [Found] {
        let found = zip(list, ids).compactMap { entry, id in id.map { make(entry.object, entry.uuid, $0) } }
        backend.statistics.droppedAttributes += list.count - found.count
        return found
    }
}

extension CharacteristicProperties {
    /// The properties in CoreBluetooth's bits, which are the specification's.
    fileprivate init(_ properties: CBCharacteristicProperties) {
        self.init(rawValue: UInt16(truncatingIfNeeded: properties.rawValue))
    }
}
#endif
