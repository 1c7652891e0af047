#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import DBus

// The peer's database, read from the mirror once BlueZ says that it is complete.
extension BlueZCentralBackend {
    /// How long after the last change of services the change is told, when BlueZ does not mark its end.
    private static let changeSettling = Duration.milliseconds(150)
    /// The same while services have only gone: BlueZ takes them away first, and announces what there is instead once it
    /// has read all of that from the peer.
    private static let removalSettling = Duration.seconds(1)
    /// Services that BlueZ uses itself and never shows: Generic Access and Generic Attribute.
    private static let claimed: Set<BluetoothUUID> = ["1800", "1801"]

    // MARK: Services

    func discover(_ request: BackendRequest, _ uuids: [BluetoothUUID]?, _ link: Link) {
        if link.isComplete, link.changedServices.isEmpty {
            link.isResolved = true
            later(on: link) { $0.noteMaximumTransmissionUnit($1) }
            return answer(request, services(of: link.path, uuids))
        }
        link.discoveries.append(request)
        if facts(link.path)?.areServicesResolved == true { later(on: link) { $0.complete($1) } }
    }

    func areServicesComplete(_ path: String) -> Bool {
        facts(path)?.areServicesResolved == true && !services(of: path).isEmpty
    }

    func resolvedChanged(_ path: String, _ isResolved: Bool) {
        guard let link = links[path] else { return }
        link.isComplete = false
        guard isResolved else { return }
        complete(link)
    }

    /// BlueZ has read the database. Mostly it has announced what it read by now; when it has not, or has failed to read
    /// anything, one look at all its objects tells.
    private func complete(_ link: Link) {
        guard isCurrent(link), !link.isComplete, !link.isRefreshing, let session else { return }
        if areServicesComplete(link.path) {
            link.isComplete = true
            return answerDiscoveries(link)
        }
        link.isRefreshing = true
        session.refresh(
            done: callback(on: link) { me, link in
                link.isRefreshing = false
                guard me.facts(link.path)?.areServicesResolved == true else { return }
                link.isComplete = true
                me.answerDiscoveries(link)
            })
    }

    private func answerDiscoveries(_ link: Link) {
        let waiting = link.discoveries
        link.discoveries = []
        if !waiting.isEmpty { link.isResolved = true }
        tellChangedServices(link)
        noteMaximumTransmissionUnit(link)
        for request in waiting {
            guard case .discoverServices(_, let uuids) = request.operation else { continue }
            finish(request, services(of: link.path, uuids))
        }
    }

    private func services(
        of path: String, _ uuids: [BluetoothUUID]?
    ) -> Result<BackendReply, OperationFailure> {
        let all = services(of: path)
        if all.isEmpty, !(facts(path)?.uuids.contains(where: Self.claimed.contains) ?? false) {
            return .failure(
                .backend(
                    BackendFailure(
                        name: BlueZError.failed, message: "BlueZ found no services",
                        advice: "It may have failed to read them: disconnect and connect again", isTransient: true)))
        }
        let primary = all.filter(\.isPrimary)
        guard let uuids else { return .success(.services(primary)) }
        let found = primary.filter { uuids.contains($0.uuid) }
        if found.isEmpty, !uuids.isEmpty, uuids.allSatisfy(Self.claimed.contains) {
            return .failure(
                .backend(
                    BackendFailure(
                        name: BlueZError.notPermitted,
                        message: "BlueZ keeps the services 1800 and 1801 to itself",
                        advice: "The name and the appearance are in the peripheral's advertisements")))
        }
        return .success(.services(found))
    }

    /// All services in the order of their handles, the stand-in for the battery service last.
    ///
    /// BlueZ 5.66 says of primary services that it discovers again that they are secondary (service-changed.trace). What no
    /// other service includes is of no use as a secondary one, so it counts as primary.
    func services(of path: String) -> [DiscoveredService] {
        guard let session else { return [] }
        let paths = session.tree.children(of: path, with: BlueZInterface.service)
        let included = Set(paths.flatMap(included))
        var services = paths.compactMap { service($0, isIncluded: included.contains($0)) }
        if let battery = Battery.service(at: path, in: session.tree, beside: services) { services.append(battery) }
        return services.sorted { $0.id < $1.id }
    }

    private func included(by path: String) -> [String] {
        properties(path, BlueZInterface.service)?[GattService1.includes] ?? []
    }

    private func service(_ path: String, isIncluded: Bool) -> DiscoveredService? {
        guard let properties = properties(path, BlueZInterface.service),
            let handle = BlueZPath.attribute(of: path), let uuid = uuid(properties, GattService1.uuid)
        else { return nil }
        let isPrimary = properties[GattService1.primary] ?? true
        return DiscoveredService(id: AttributeID(handle: handle), uuid: uuid, isPrimary: isPrimary || !isIncluded)
    }

    private func uuid(_ properties: ObjectTree.Properties, _ key: PropertyKey<String>) -> BluetoothUUID? {
        properties[key].flatMap { try? BluetoothUUID($0) }
    }

    // MARK: What is in a service

    func discoverIncluded(
        _ request: BackendRequest, of service: AttributeID, _ uuids: [BluetoothUUID]?, _ link: Link
    ) {
        if service == Battery.serviceID { return answer(request, .success(.services([]))) }
        guard let path = path(of: service, on: link), properties(path, BlueZInterface.service) != nil else {
            return failUnknown(request, service)
        }
        let included = included(by: path).compactMap { self.service($0, isIncluded: true) }
        answer(request, .success(.services(included.filter { uuids?.contains($0.uuid) ?? true })))
    }

    func discoverCharacteristics(
        _ request: BackendRequest, of service: AttributeID, _ uuids: [BluetoothUUID]?, _ link: Link
    ) {
        let all: [DiscoveredCharacteristic]
        if service == Battery.serviceID {
            all = [Battery.characteristic]
        } else {
            guard let session, let path = path(of: service, on: link),
                properties(path, BlueZInterface.service) != nil
            else { return failUnknown(request, service) }
            all = session.tree.children(of: path, with: BlueZInterface.characteristic).compactMap(characteristic)
        }
        answer(request, .success(.characteristics(all.filter { uuids?.contains($0.uuid) ?? true })))
    }

    private func characteristic(_ path: String) -> DiscoveredCharacteristic? {
        guard let properties = properties(path, BlueZInterface.characteristic),
            let handle = BlueZPath.attribute(of: path), let uuid = uuid(properties, GattCharacteristic1.uuid)
        else { return nil }
        return DiscoveredCharacteristic(
            id: AttributeID(handle: handle), uuid: uuid,
            properties: CharacteristicProperties(flags: properties[GattCharacteristic1.flags] ?? []))
    }

    func discoverDescriptors(_ request: BackendRequest, of characteristic: AttributeID, _ link: Link) {
        if characteristic == Battery.characteristicID { return answer(request, .success(.descriptors([]))) }
        guard let session, let path = path(of: characteristic, on: link) else {
            return failUnknown(request, characteristic)
        }
        let all = session.tree.children(of: path, with: BlueZInterface.descriptor).compactMap { path in
            guard let properties = properties(path, BlueZInterface.descriptor),
                let handle = BlueZPath.attribute(of: path), let uuid = uuid(properties, GattDescriptor1.uuid)
            else { return DiscoveredDescriptor?.none }
            return DiscoveredDescriptor(id: AttributeID(handle: handle), uuid: uuid)
        }
        answer(request, .success(.descriptors(all)))
    }

    /// The object of an attribute.
    func path(of attribute: AttributeID, on link: Link) -> String? {
        if let path = link.paths[attribute] { return path }
        guard let session else { return nil }
        for service in session.tree.children(of: link.path, with: BlueZInterface.service) {
            learn(service, on: link)
            for characteristic in session.tree.children(of: service, with: BlueZInterface.characteristic) {
                learn(characteristic, on: link)
                for descriptor in session.tree.children(of: characteristic, with: BlueZInterface.descriptor) {
                    learn(descriptor, on: link)
                }
            }
        }
        return link.paths[attribute]
    }

    private func learn(_ path: String, on link: Link) {
        if let handle = BlueZPath.attribute(of: path) { link.paths[AttributeID(handle: handle)] = path }
    }

    /// The interface by which an attribute is read and written; nil for one that is gone.
    func valueInterface(_ path: String) -> String? {
        if properties(path, BlueZInterface.characteristic) != nil { return BlueZInterface.characteristic }
        return properties(path, BlueZInterface.descriptor) == nil ? nil : BlueZInterface.descriptor
    }

    // MARK: Changes

    func attributeChanged(_ device: String, _ change: TreeChange) {
        guard let link = links[device], link.phase == .connected else {
            if case .changed(_, _, let set, _) = change, set.has(GattCharacteristic1.value) { ignoredValueCount += 1 }
            return
        }
        switch change {
        case .changed(let path, BlueZInterface.characteristic, let set, _):
            if let bytes = set[GattCharacteristic1.value], let handle = BlueZPath.attribute(of: path) {
                link.values.signalled(AttributeID(handle: handle), Bytes(bytes), self)
            }
            if set.has(GattCharacteristic1.maximumTransmissionUnit) { noteMaximumTransmissionUnit(link) }
        case .changed: break
        case .added(let path, let interface), .removed(let path, let interface, _):
            link.paths = [:]
            guard interface == BlueZInterface.service, link.isResolved, let handle = BlueZPath.attribute(of: path)
            else { return }
            link.changedServices.insert(AttributeID(handle: handle))
            if case .removed = change {
                link.values.forget(below: path, self)
            } else {
                link.hasNewServices = true
            }
            scheduleChangedServices(link)
        }
    }

    private func scheduleChangedServices(_ link: Link) {
        link.changeTimer?.cancel()
        let settling = link.hasNewServices ? Self.changeSettling : Self.removalSettling
        link.changeTimer = after(settling, on: link) { me, link in
            guard me.facts(link.path)?.areServicesResolved == true else { return }
            me.answerDiscoveries(link)
        }
    }

    private func tellChangedServices(_ link: Link) {
        link.changeTimer?.cancel()
        if link.changedServices.isEmpty { return }
        let changed = link.changedServices.sorted()
        link.changedServices = []
        link.hasNewServices = false
        emit(.servicesChanged(link.id, invalidated: changed))
    }

    // MARK: MTU

    /// What any characteristic of the device says; BlueZ tells it since 5.62.
    func knownMaximumTransmissionUnit(_ device: String) -> Int? {
        guard let session else { return nil }
        for service in session.tree.children(of: device, with: BlueZInterface.service) {
            for path in session.tree.children(of: service, with: BlueZInterface.characteristic) {
                let properties = properties(path, BlueZInterface.characteristic)
                if let value = properties?[GattCharacteristic1.maximumTransmissionUnit] { return Int(value) }
            }
        }
        return nil
    }

    /// Tells the MTU if it is news; not from inside a command.
    func noteMaximumTransmissionUnit(_ link: Link, _ value: Int? = nil) {
        guard let value = value ?? knownMaximumTransmissionUnit(link.path), value >= 23,
            value != link.maximumTransmissionUnit
        else { return }
        link.maximumTransmissionUnit = value
        emit(.maximumTransmissionUnitChanged(link.id, value))
    }
}
#endif
