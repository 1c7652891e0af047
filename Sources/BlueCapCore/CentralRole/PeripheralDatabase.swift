// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The attributes of a peripheral's current connection that were discovered, each with the handle that stands for it.
///
/// Touched on the manager only.
final class PeripheralDatabase {
    private unowned let record: PeripheralRecord
    private(set) var services: OrderedTable<AttributeID, Service> = [:]
    private(set) var characteristics: OrderedTable<AttributeID, Characteristic> = [:] {
        didSet { record.subscriptions.forgetRoute() }
    }
    private(set) var descriptors: Set<AttributeID> = []

    init(of record: PeripheralRecord) { self.record = record }

    /// Returns the reason why no more attributes are taken in; nil if there is room.
    private func excess(_ news: Int, maximum: Int) -> BackendFailure? {
        let count = services.count + characteristics.count + descriptors.count + news
        return count > maximum ? .tooManyAttributes(maximum: maximum) : nil
    }

    // MARK: Discovered attributes

    /// Takes in services that were found, if there is room for them.
    ///
    /// - Parameters:
    ///   - found: The services.
    ///   - replacing: Whether they are all primary services.
    ///   - maximum: The maximum number of attributes.
    func take(
        services found: [DiscoveredService], replacing: Bool = false, maximum: Int
    ) -> Result<[Service], BackendFailure> {
        let news = found.count { services[$0.id] == nil }
        if let failure = excess(news, maximum: maximum) { return .failure(failure) }
        return .success(merge(services: found, replacing: replacing))
    }

    /// Takes in characteristics of a service that were found, if there is room for them.
    ///
    /// - Parameters:
    ///   - found: The characteristics.
    ///   - service: The service.
    ///   - replacing: Whether they are all of the service.
    ///   - maximum: The maximum number of attributes.
    func take(
        characteristics found: [DiscoveredCharacteristic], of service: Service, replacing: Bool, maximum: Int
    ) -> Result<[Characteristic], BackendFailure> {
        let news = found.count { characteristics[$0.id] == nil }
        if let failure = excess(news, maximum: maximum) { return .failure(failure) }
        return .success(merge(characteristics: found, of: service, replacing: replacing))
    }

    /// Takes in the descriptors of a characteristic, if there is room for them.
    ///
    /// - Parameters:
    ///   - found: The descriptors.
    ///   - characteristic: The characteristic.
    ///   - maximum: The maximum number of attributes.
    func take(
        descriptors found: [DiscoveredDescriptor], of characteristic: Characteristic, maximum: Int
    ) -> Result<[Descriptor], BackendFailure> {
        let news = found.count { !descriptors.contains($0.id) }
        if let failure = excess(news, maximum: maximum) { return .failure(failure) }
        let known = Self.byID(characteristic.descriptors)
        let taken = found.map { found in
            if let same = known[found.id], same.uuid == found.uuid { return same }
            return Descriptor(found, of: characteristic)
        }
        descriptors.formUnion(taken.map(\.id))
        characteristic.facts.withLock { $0.descriptors = taken }
        return .success(taken)
    }

    /// Takes in services that were found: one that is known keeps its object, also from before a reconnection.
    func merge(services found: [DiscoveredService], replacing: Bool = false) -> [Service] {
        let peripheral = record.peripheral
        let primary = peripheral.services
        let known = Self.byID(primary + primary.flatMap(\.includedServices))
        let taken = found.map { found in
            if let same = known[found.id], same.uuid == found.uuid, same.isPrimary == found.isPrimary { return same }
            return Service(found, of: peripheral)
        }
        // Included services are found through those that include them; a new list of the primary ones does not end
        // them.
        if replacing {
            for (id, service) in services where service.isPrimary { services[id] = nil }
        }
        for service in taken { services[service.id] = service }
        let all = services.values.filter(\.isPrimary).sorted { $0.id < $1.id }
        peripheral.facts.withLock { facts in
            facts.services = all
            if replacing { facts.hasAllServices = true }
        }
        return taken
    }

    /// Takes in characteristics of a service that were found; one that is known keeps its object.
    func merge(
        characteristics found: [DiscoveredCharacteristic], of service: Service, replacing: Bool = false
    ) -> [Characteristic] {
        let known = Self.byID(service.characteristics)
        let taken = found.map { found in
            if let same = known[found.id], same.uuid == found.uuid, same.properties == found.properties { return same }
            return Characteristic(found, of: service)
        }
        for characteristic in taken {
            let before = characteristics[characteristic.id]
            if before !== characteristic { before?.use(nil) }
            characteristics[characteristic.id] = characteristic
        }
        let ids = Set(taken.map(\.id))
        let kept = replacing ? [] : known.values.filter { !ids.contains($0.id) }
        let all = (taken + kept).sorted { $0.id < $1.id }
        service.facts.withLock { facts in
            facts.characteristics = all
            if replacing { facts.hasAllCharacteristics = true }
        }
        return taken
    }

    /// A hostile database may name one attribute twice; the first counts.
    private static func byID<Handle: Identifiable>(_ handles: [Handle]) -> [AttributeID: Handle]
    where Handle.ID == AttributeID {
        Dictionary(handles.map { ($0.id, $0) }) { first, _ in first }
    }

    // MARK: Attributes that are gone

    /// Forgets everything, at the end of the connection: handles stand for attributes again once they are rediscovered.
    func forget() {
        for characteristic in characteristics.values { characteristic.use(nil) }
        characteristics = [:]
        services = [:]
        descriptors = []
    }

    /// The peer changed its database: the services that it names, or all where it names none, are gone until they are
    /// discovered again, and the requests under way for them end. No platform answers for an attribute that is gone.
    func changed(_ invalidated: [AttributeID]?, _ owner: isolated some CentralOwner) {
        let (peripheral, id) = (record.peripheral, record.peripheral.identifier)
        let known = peripheral.services + services.values.filter { !$0.isPrimary }
        let gone = known.filter { invalidated?.contains($0.id) ?? true }
        for service in gone {
            services[service.id] = nil
            for characteristic in service.characteristics { drop(characteristic, isNamed: invalidated != nil, owner) }
        }
        owner.requests.drain(owner.lane(.discovery, of: id), owner) { operation in
            switch operation {
            case .discoverCharacteristics(_, let service, _), .discoverIncludedServices(_, let service, _):
                gone.first { $0.id == service }.map { .gone($0.uuid) }
            case .discoverDescriptors(_, let characteristic):
                gone.flatMap(\.characteristics).first { $0.id == characteristic }.map { .gone($0.uuid) }
            default: nil
            }
        }
        let left = known.filter { $0.isPrimary && !gone.contains($0) }.sorted { $0.id < $1.id }
        peripheral.facts.withLock { facts in
            facts.services = left
            facts.hasAllServices = false
        }
        peripheral.send(changed: gone.sorted { $0.id < $1.id }.map(\.uuid))
    }

    /// A characteristic is gone from the database of the current connection; where the peer did not name its service,
    /// it may also be there still.
    private func drop(_ characteristic: Characteristic, isNamed: Bool, _ owner: isolated some CentralOwner) {
        let (id, peripheral) = (characteristic.id, record.peripheral.identifier)
        guard characteristics[id] === characteristic else { return }
        characteristics[id] = nil
        characteristic.use(nil)
        descriptors.subtract(characteristic.descriptors.map(\.id))
        let subscription = record.subscriptions[id]
        let transport = subscription?.machine.transport
        let mayNotify = subscription?.machine.phase == .enabling || subscription?.machine.phase == .on
        record.subscriptions.end(id, .notDiscovered(characteristic.uuid), owner)
        owner.requests.drain(owner.lane(.notifying(id), of: peripheral), owner) { _ in .gone(characteristic.uuid) }
        owner.requests.drain(owner.lane(.value(id), of: peripheral), owner) { _ in .gone(characteristic.uuid) }
        for descriptor in characteristic.descriptors {
            owner.requests.drain(owner.lane(.value(descriptor.id), of: peripheral), owner) { _ in .gone(descriptor.uuid)
            }
        }
        guard let transport, mayNotify, !isNamed else { return }
        owner.begin(.setNotifying(peripheral, id, false, transport), in: .notifying(id)) { _, _ in }
    }
}
