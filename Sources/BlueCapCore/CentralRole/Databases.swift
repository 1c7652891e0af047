// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// Discovers the databases of peripherals, takes their changes in, and reads and writes their attributes.
///
/// The attributes stand in the records of the peripherals. Used on the manager only, apart from the streams.
struct Databases: Sendable {
    private let discovered: Multicaster<Characteristic>
    private let maximumAttributes: Int

    /// Creates the room.
    ///
    /// - Parameters:
    ///   - discovered: Takes the characteristics that discoveries find.
    ///   - maximumAttributes: The maximum number of attributes of one peripheral.
    init(_ discovered: Multicaster<Characteristic>, maximumAttributes: Int) {
        (self.discovered, self.maximumAttributes) = (discovered, maximumAttributes)
    }

    // MARK: Discovery

    func discoverServices(
        _ peripheral: Peripheral, _ uuids: [BluetoothUUID]?, timeout: Duration?, _ owner: isolated CentralManager
    ) async throws(PeripheralError) -> [Service] {
        _ = try owner.book.record(of: peripheral, owner)
        let id = peripheral.identifier
        return try await owner.perform(.discoverServices(id, uuids), in: .discovery, timeout: timeout) {
            manager, outcome -> Result<[Service], PeripheralError> in
            if case .reply(.services(let found)) = outcome, let record = manager.book.known(id) {
                let news = found.count { record.services[$0.id] == nil }
                if let failure = excess(news, for: record) { return .failure(.backend(failure)) }
                return .success(merge(services: found, into: record, replacing: uuids == nil))
            }
            if case .timedOut = outcome { endAfterDiscoveryTimeout(id, manager) }
            return .failure(PeripheralError(outcome, timeout: .serviceDiscoveryTimeout))
        }
    }

    /// A link whose services do not come is of no use and may be dead: it is ended, as a loss.
    func endAfterDiscoveryTimeout(_ id: PeerIdentifier, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id) else { return }
        owner.connections.carryOut(record.connection.fail(.serviceDiscoveryTimeout), for: record, owner)
    }

    func discoverIncludedServices(
        _ service: Service, _ uuids: [BluetoothUUID]?, timeout: Duration?, _ owner: isolated CentralManager
    ) async throws(ServiceError) -> [Service] {
        let id = try owner.book.record(of: service, owner).peripheral.identifier
        let operation = CentralOperation.discoverIncludedServices(id, service: service.id, uuids)
        return try await owner.perform(operation, in: .discovery, timeout: timeout) {
            manager, outcome -> Result<[Service], ServiceError> in
            guard case .reply(.services(let found)) = outcome else {
                return .failure(ServiceError(outcome, timeout: .includedServiceDiscoveryTimeout))
            }
            guard let record = manager.book.known(id), record.services[service.id] === service else {
                return .failure(.notDiscovered(service.uuid))
            }
            let news = found.count { record.services[$0.id] == nil }
            if let failure = excess(news, for: record) { return .failure(.backend(failure)) }
            let included = merge(services: found, into: record, replacing: false)
            service.facts.withLock { $0.includedServices = included }
            return .success(included)
        }
    }

    func discoverCharacteristics(
        _ service: Service, _ uuids: [BluetoothUUID]?, timeout: Duration?, endsLink: Bool = false,
        _ owner: isolated CentralManager
    ) async throws(ServiceError) -> [Characteristic] {
        let id = try owner.book.record(of: service, owner).peripheral.identifier
        let operation = CentralOperation.discoverCharacteristics(id, service: service.id, uuids)
        return try await owner.perform(operation, in: .discovery, timeout: timeout) {
            manager, outcome -> Result<[Characteristic], ServiceError> in
            guard case .reply(.characteristics(let found)) = outcome else {
                if case .timedOut = outcome, endsLink { endAfterDiscoveryTimeout(id, manager) }
                return .failure(ServiceError(outcome, timeout: .characteristicDiscoveryTimeout))
            }
            guard let record = manager.book.known(id), record.services[service.id] === service else {
                return .failure(.notDiscovered(service.uuid))
            }
            let news = found.count { record.characteristics[$0.id] == nil }
            if let failure = excess(news, for: record) { return .failure(.backend(failure)) }
            return .success(
                merge(characteristics: found, into: service, of: record, replacing: uuids == nil))
        }
    }

    func discoverDescriptors(
        _ characteristic: Characteristic, timeout: Duration?, _ owner: isolated CentralManager
    ) async throws(CharacteristicError) -> [Descriptor] {
        let id = try owner.book.record(of: characteristic, owner).peripheral.identifier
        let operation = CentralOperation.discoverDescriptors(id, characteristic: characteristic.id)
        return try await owner.perform(operation, in: .discovery, timeout: timeout) {
            manager, outcome -> Result<[Descriptor], CharacteristicError> in
            guard case .reply(.descriptors(let found)) = outcome else {
                return .failure(CharacteristicError(outcome, timeout: .descriptorDiscoveryTimeout))
            }
            guard let record = manager.book.known(id),
                record.characteristics[characteristic.id] === characteristic
            else { return .failure(.notDiscovered(characteristic.uuid)) }
            let news = found.count { !record.descriptors.contains($0.id) }
            if let failure = excess(news, for: record) { return .failure(.backend(failure)) }
            return .success(merge(descriptors: found, into: characteristic, of: record))
        }
    }

    /// Why no more attributes of a peripheral are taken in.
    func excess(_ news: Int, for record: PeripheralRecord) -> BackendFailure? {
        let count = record.services.count + record.characteristics.count + record.descriptors.count + news
        return count > maximumAttributes ? .tooManyAttributes(maximum: maximumAttributes) : nil
    }

    // MARK: Discovered attributes

    /// Takes in services that were found: one that is known keeps its object, also from before a reconnection.
    func merge(services found: [DiscoveredService], into record: PeripheralRecord, replacing: Bool) -> [Service] {
        let primary = record.peripheral.services
        let known = Self.byID(primary + primary.flatMap(\.includedServices))
        let services = found.map { found in
            if let same = known[found.id], same.uuid == found.uuid, same.isPrimary == found.isPrimary { return same }
            return Service(found, of: record.peripheral)
        }
        // Included services are found through those that include them; a new list of the primary ones does not end
        // them.
        if replacing {
            for (id, service) in record.services where service.isPrimary { record.services[id] = nil }
        }
        for service in services { record.services[service.id] = service }
        let all = record.services.values.filter(\.isPrimary).sorted { $0.id < $1.id }
        record.peripheral.facts.withLock { facts in
            facts.services = all
            if replacing { facts.hasAllServices = true }
        }
        return services
    }

    func merge(
        characteristics found: [DiscoveredCharacteristic], into service: Service, of record: PeripheralRecord,
        replacing: Bool
    ) -> [Characteristic] {
        let known = Self.byID(service.characteristics)
        let characteristics = found.map { found in
            if let same = known[found.id], same.uuid == found.uuid, same.properties == found.properties { return same }
            return Characteristic(found, of: service)
        }
        for characteristic in characteristics {
            let before = record.characteristics[characteristic.id]
            if before !== characteristic { before?.use(nil) }
            record.characteristics[characteristic.id] = characteristic
        }
        let ids = Set(characteristics.map(\.id))
        let kept = replacing ? [] : known.values.filter { !ids.contains($0.id) }
        let all = (characteristics + kept).sorted { $0.id < $1.id }
        service.facts.withLock { facts in
            facts.characteristics = all
            if replacing { facts.hasAllCharacteristics = true }
        }
        for characteristic in characteristics { discovered.push(characteristic) }
        return characteristics
    }

    private func merge(
        descriptors found: [DiscoveredDescriptor], into characteristic: Characteristic, of record: PeripheralRecord
    ) -> [Descriptor] {
        let known = Self.byID(characteristic.descriptors)
        let descriptors = found.map { found in
            if let same = known[found.id], same.uuid == found.uuid { return same }
            return Descriptor(found, of: characteristic)
        }
        record.descriptors.formUnion(descriptors.map(\.id))
        characteristic.facts.withLock { $0.descriptors = descriptors }
        return descriptors
    }

    /// A hostile database may name one attribute twice; the first counts.
    private static func byID<Handle: Identifiable>(_ handles: [Handle]) -> [AttributeID: Handle]
    where Handle.ID == AttributeID {
        Dictionary(handles.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The peer changed its database: the services that it names are gone until they are discovered again, and the
    /// requests under way for them end. No platform answers for an attribute that is gone.
    func servicesChanged(_ id: PeerIdentifier, _ invalidated: [AttributeID], _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id) else { return }
        let known = record.peripheral.services + record.services.values.filter { !$0.isPrimary }
        let gone = known.filter { invalidated.isEmpty || invalidated.contains($0.id) }
        for service in gone {
            record.services[service.id] = nil
            let isNamed = invalidated.contains(service.id)
            for characteristic in service.characteristics { drop(characteristic, of: record, isNamed: isNamed, owner) }
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
        record.peripheral.facts.withLock { facts in
            facts.services = left
            facts.hasAllServices = false
        }
        record.peripheral.tell(changed: gone.sorted { $0.id < $1.id }.map(\.uuid))
    }

    /// A characteristic is gone from the database of the current connection; where the peer did not name its service,
    /// it may also be there still.
    private func drop(
        _ characteristic: Characteristic, of record: PeripheralRecord, isNamed: Bool, _ owner: isolated CentralManager
    ) {
        guard record.characteristics[characteristic.id] === characteristic else { return }
        record.characteristics[characteristic.id] = nil
        characteristic.use(nil)
        record.descriptors.subtract(characteristic.descriptors.map(\.id))
        let (id, peripheral) = (characteristic.id, record.peripheral.identifier)
        let subscription = record.subscriptions[id]
        let transport = subscription?.machine.transport
        let mayNotify = subscription?.machine.phase == .enabling || subscription?.machine.phase == .on
        owner.connections.subscriptions.endSubscription(to: id, of: record, .notDiscovered(characteristic.uuid), owner)
        owner.requests.drain(owner.lane(.notifying(id), of: peripheral), owner) { _ in .gone(characteristic.uuid) }
        owner.requests.drain(owner.lane(.value(id), of: peripheral), owner) { _ in .gone(characteristic.uuid) }
        for descriptor in characteristic.descriptors {
            owner.requests.drain(owner.lane(.value(descriptor.id), of: peripheral), owner) { _ in .gone(descriptor.uuid)
            }
        }
        guard let transport, mayNotify, !isNamed else { return }
        owner.begin(.setNotifying(peripheral, id, false, transport), in: .notifying(id)) { _, _ in }
    }

    // MARK: Values

    func read(_ characteristic: Characteristic, timeout: Duration?, _ owner: isolated CentralManager)
        async throws(CharacteristicError) -> Bytes
    {
        let record = try owner.book.record(of: characteristic, owner)
        if !characteristic.canRead { throw .readNotSupported }
        let isHeld = characteristic.holdChannel()
        defer { if isHeld { openChannel(of: characteristic, record, owner) } }
        let id = record.peripheral.identifier
        return try await read(characteristic.id, of: record, timeout: timeout, owner) { manager, value in
            // It may have been notified: then it belongs to the listeners, too.
            let isShared =
                characteristic.isNotifying && !manager.backend.features.contains(.separatesReadsFromNotifications)
            let listeners = isShared ? manager.book.known(id)?.subscriptions[characteristic.id] : nil
            manager.deliveries.deliver(value, of: characteristic, to: listeners, manager)
        }
    }

    func write(
        _ value: Bytes, to characteristic: Characteristic, kind: WriteKind, timeout: Duration?,
        _ owner: isolated CentralManager
    ) async throws(CharacteristicError) {
        let record = try owner.book.record(of: characteristic, owner)
        let needed: CharacteristicProperties = kind == .withResponse ? .write : .writeWithoutResponse
        if !characteristic.properties.contains(needed) { throw .writeNotSupported }
        try checkLength(value, kind, record.peripheral)
        let isHeld = characteristic.holdChannel()
        defer { if isHeld || kind == .withoutResponseOverSocket { openChannel(of: characteristic, record, owner) } }
        try await write(value, to: characteristic.id, of: record, kind: kind, timeout: timeout, owner)
    }

    /// Lets the values of a characteristic go out at once, if the backend can do that, when nothing of it is queued.
    private func openChannel(
        of characteristic: Characteristic, _ record: PeripheralRecord, _ owner: isolated CentralManager
    ) {
        let (id, peripheral) = (characteristic.id, record.peripheral.identifier)
        guard owner.requests.queuedCount(in: owner.lane(.value(id), of: peripheral)) == 0,
            record.characteristics[id] === characteristic, record.link == .connected
        else { return }
        characteristic.use(owner.backend.onExecutor { $0.writeChannel(to: id, of: peripheral) })
    }

    func read(_ descriptor: Descriptor, timeout: Duration?, _ owner: isolated CentralManager)
        async throws(CharacteristicError) -> Bytes
    {
        let record = try owner.book.record(of: descriptor, owner)
        return try await read(descriptor.id, of: record, timeout: timeout, owner) { _, value in
            descriptor.facts.withLock { $0 = value }
        }
    }

    func write(_ value: Bytes, to descriptor: Descriptor, timeout: Duration?, _ owner: isolated CentralManager)
        async throws(CharacteristicError)
    {
        let record = try owner.book.record(of: descriptor, owner)
        if descriptor.uuid == Descriptor.clientConfiguration { throw .writeNotSupported }
        try checkLength(value, .withResponse, record.peripheral)
        try await write(value, to: descriptor.id, of: record, kind: .withResponse, timeout: timeout, owner)
    }

    func pendingCount(
        _ characteristic: Characteristic, _ owner: isolated CentralManager, where isCounted: (CentralOperation) -> Bool
    ) -> Int {
        guard let id = characteristic.peripheral?.identifier else { return 0 }
        return owner.requests.count(in: owner.lane(.value(characteristic.id), of: id), where: isCounted)
    }

    private func read(
        _ attribute: AttributeID, of record: PeripheralRecord, timeout: Duration?, _ owner: isolated CentralManager,
        note: @escaping @Sendable (isolated CentralManager, Bytes) -> Void
    ) async throws(CharacteristicError) -> Bytes {
        let operation = CentralOperation.read(record.peripheral.identifier, attribute)
        return try await owner.perform(operation, in: .value(attribute), timeout: timeout) {
            manager, outcome -> Result<Bytes, CharacteristicError> in
            guard case .reply(.value(let value)) = outcome else {
                return .failure(CharacteristicError(outcome, timeout: .readTimeout))
            }
            if value.count > maximumAttributeLength { return .failure(.backend(.valueTooLong(count: value.count))) }
            // Noted with the answer: a value that is notified after it is not overwritten by it.
            note(manager, value)
            return .success(value)
        }
    }

    private func write(
        _ value: Bytes, to attribute: AttributeID, of record: PeripheralRecord, kind: WriteKind, timeout: Duration?,
        _ owner: isolated CentralManager
    ) async throws(CharacteristicError) {
        let operation = CentralOperation.write(record.peripheral.identifier, attribute, value, kind)
        let outcome = await owner.perform(operation, in: .value(attribute), timeout: timeout)
        guard case .reply(.done) = outcome else { throw CharacteristicError(outcome, timeout: .writeTimeout) }
    }

    private func checkLength(_ value: Bytes, _ kind: WriteKind, _ peripheral: Peripheral) throws(CharacteristicError) {
        // Without a known MTU a longer command may still fit; the backend decides.
        let isBound = kind == .withResponse || peripheral.maximumTransmissionUnit != nil
        let maximum = isBound ? peripheral.maximumWriteLength(for: kind) : maximumAttributeLength
        if value.count > maximum { throw .valueTooLong(count: value.count, maximum: maximum) }
    }
}

extension BackendFailure {
    /// A peripheral has more attributes than the manager takes in.
    static func tooManyAttributes(maximum: Int) -> BackendFailure {
        BackendFailure(
            name: "BlueCap.TooManyAttributes",
            message: "the peripheral has more than \(maximum) services, characteristics and descriptors",
            advice: "discover by UUID, or raise Configuration.maximumAttributes")
    }

    /// The peripheral answered with more than an attribute can have.
    static func valueTooLong(count: Int) -> BackendFailure {
        BackendFailure(
            name: "BlueCap.ValueTooLong",
            message: "the value has \(count) bytes, and that of an attribute \(maximumAttributeLength) at most",
            advice: "the peripheral breaks the specification: have its firmware send shorter values")
    }
}
