// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Restoring the services and advertisements of the program before this one.
extension PeripheralManager {
    /// Returns the services and advertisements that the last program with the same
    /// ``Configuration/restoreIdentifier`` offered when it ended; once, then nil.
    ///
    /// It is there from the beginning, before the state is `.poweredOn`, so ask for it first, set the values and listen
    /// to the requests: centrals come as soon as the radio is on. See <doc:Restoration>.
    ///
    /// - Returns: Nil without an identifier, where there is nothing to restore, and from the second call on.
    /// - Throws: `.restoreFailed`, once, where the journal cannot be used: the manager then works without its contents,
    ///   and with `.inUse`, `.unusable` or `.inaccessible` keeps no journal; `.cancelled`.
    public func restoredState() async throws(PeripheralManagerError) -> RestoredPeripheralState? {
        // Where the caller runs on the manager's executor, the job of `init` that does this may not have run yet.
        journal.takeUp(self)
        if backend.restoresState {
            for await state in states() where state != .unknown { break }
            if Task.isCancelled { throw .cancelled }
        }
        do { return try journal.takeRestored() } catch { throw .restoreFailed(error) }
    }

    /// Records the services and advertisements to offer when the radio is on. Where a journal and the platform both
    /// report some, the first report counts, which is the journal's.
    func restore(_ contents: PeripheralRestoration) {
        if state == .poweredOn || isInvalidated || journal.restored != nil { return }
        var state = RestoredPeripheralState()
        var services: [MutableService?] = []
        for wanted in contents.services {
            let included = wanted.includedServices.compactMap { services.indices.contains($0) ? services[$0] : nil }
            let service = MutableService(wanted, included: included)
            let id = try? registrations.add(service, handle: wanted.handle, isEstablished: true, self)
            services.append(id == nil ? nil : service)
        }
        state.services = services.compactMap(\.self)
        if let advertisement = contents.mainAdvertisement {
            if takeUp(advertisement, isMain: true) != nil { state.advertisement = advertisement }
        }
        state.advertisements = contents.advertisements.compactMap { advertisement in
            takeUp(advertisement).map { AdvertisementHandle($0, manager: self) }
        }
        if !state.isEmpty { journal.hold(state) }
        registrations.publish(self)
    }

    /// Brings an advertisement back, as after the radio was off.
    private func takeUp(_ advertisement: Advertisement, isMain: Bool = false) -> AdvertisementID? {
        if advertisement.impossibleOption != nil { return nil }
        return registrations.add(advertisement, isMain: isMain, isEstablished: true)
    }

    // MARK: The journal

    var contents: PeripheralRestoration {
        var contents = PeripheralRestoration()
        var places: [AttributeID: Int] = [:]
        for registration in registrations.kept {
            switch registration.machine.confirmed {
            case .service(let service, let local):
                places[local.id] = contents.services.count
                contents.services.append(PeripheralRestoration.Service(service, local, places, registrations.database))
            // The next program does not know the rest of an advertisement's own time.
            case .advertisement(_, let advertisement) where advertisement.timeout != nil: break
            case .advertisement(_, let advertisement):
                if registration.id == registrations.mainAdvertisement.map(Registration.ID.advertisement) {
                    contents.mainAdvertisement = advertisement
                } else {
                    contents.advertisements.append(advertisement)
                }
            case nil: break
            }
        }
        return contents
    }
}

extension MutableService {
    fileprivate convenience init(_ wanted: PeripheralRestoration.Service, included: [MutableService]) {
        self.init(uuid: wanted.uuid, isPrimary: wanted.isPrimary)
        includedServices = included
        characteristics = wanted.characteristics.map { wanted in
            let characteristic = MutableCharacteristic(
                uuid: wanted.uuid, properties: wanted.properties, permissions: wanted.permissions, value: wanted.value)
            characteristic.usesWriteSocket = wanted.usesWriteSocket
            characteristic.descriptors = wanted.descriptors.map {
                MutableDescriptor(uuid: $0.uuid, permissions: $0.permissions, value: $0.value)
            }
            return characteristic
        }
    }
}

extension PeripheralRestoration.Service {
    fileprivate init(
        _ service: MutableService, _ local: LocalService, _ places: [AttributeID: Int],
        _ database: LocalDatabase
    ) {
        self.init(
            uuid: local.uuid, isPrimary: local.isPrimary, handle: local.handle == 0 ? nil : local.handle,
            includedServices: local.includedServices.compactMap { places[$0] })
        characteristics = local.characteristics.map { local in
            var value: Bytes?
            if case .characteristic(let characteristic)? = database[local.id], local.properties.isStatic {
                value = characteristic.value
            }
            return PeripheralRestoration.Characteristic(
                uuid: local.uuid, properties: local.properties, permissions: local.permissions,
                usesWriteSocket: local.usesWriteSocket, value: value.flatMap(\.ifSmall),
                descriptors: local.descriptors.map { local in
                    var value: Bytes?
                    if case .descriptor(let descriptor)? = database[local.id], !local.permissions.allowWriting {
                        value = descriptor.value
                    }
                    return PeripheralRestoration.Descriptor(
                        uuid: local.uuid, permissions: local.permissions, value: value.flatMap(\.ifSmall))
                })
        }
    }
}

extension CharacteristicProperties {
    /// Whether the value is one that only the program changes, and tells no subscriber of.
    fileprivate var isStatic: Bool {
        isDisjoint(with: [
            .write, .writeWithoutResponse, .authenticatedSignedWrites, .notify, .indicate, .notifyEncryptionRequired,
            .indicateEncryptionRequired,
        ])
    }
}

extension Bytes {
    /// The value, where it is no longer than an attribute's may be.
    fileprivate var ifSmall: Bytes? { count <= maximumAttributeLength ? self : nil }
}

/// The state that a ``PeripheralManager`` restored from an earlier run of the program: see
/// ``PeripheralManager/restoredState()``.
///
/// Services and advertisements are offered again as soon as the radio is on; the app does not add or start them.
public struct RestoredPeripheralState: Sendable {
    /// The services, in the order in which they were added.
    ///
    /// Only values that centrals can neither write nor be notified of are restored; the app sets the other values and
    /// listens to the requests.
    public internal(set) var services: [MutableService] = []
    /// The advertisement of ``PeripheralManager/startAdvertising(_:timeout:)-(Advertisement,_)``.
    public internal(set) var advertisement: Advertisement?
    /// The advertisements of ``PeripheralManager/advertise(_:timeout:)``, in the order of the calls.
    public internal(set) var advertisements: [AdvertisementHandle] = []

    var isEmpty: Bool { services.isEmpty && advertisement == nil && advertisements.isEmpty }

    /// The characteristics of all services.
    public var characteristics: [MutableCharacteristic] { services.flatMap(\.characteristics) }
}
