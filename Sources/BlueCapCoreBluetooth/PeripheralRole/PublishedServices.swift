// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth

/// The services that this program offers: CoreBluetooth's objects, and the manager's numbers for them.
final class PublishedServices {
    typealias Backend = CoreBluetoothPeripheralBackend

    private struct Addition {
        let request: RequestID
        let service: AttributeID
    }

    private var services: [AttributeID: CBMutableService] = [:]
    private var characteristics: [AttributeID: CBMutableCharacteristic] = [:]
    /// The numbers of the characteristics in `services`, whose objects are kept there.
    private var numbers: [ObjectIdentifier: AttributeID] = [:]
    private var additions: [ObjectIdentifier: Addition] = [:]
    /// Services that CoreBluetooth restored, until the manager adds the same.
    private var restored: [CBMutableService] = []

    /// The characteristic of a number; nil if it is not offered.
    subscript(id: AttributeID) -> CBMutableCharacteristic? { characteristics[id] }

    /// The number of a characteristic; nil for one that is not offered, or not any more.
    func id(of characteristic: CBCharacteristic) -> AttributeID? { numbers[ObjectIdentifier(characteristic)] }

    // MARK: Adding

    /// Offers a service. One that CoreBluetooth restored is taken over, and answered at once.
    func add(
        _ service: LocalService, _ request: RequestID, _ manager: CBPeripheralManager, _ backend: isolated Backend
    ) {
        if let object = takeRestored(service, manager) {
            keep(object, for: service)
            backend.answer(request, .success(()))
            return backend.updates.restoreSubscribers(of: service.characteristics.map(\.id), backend)
        }
        switch makeService(service) {
        case .failure(let failure): backend.answer(request, .failure(.backend(failure)))
        case .success(let object):
            keep(object, for: service)
            additions[ObjectIdentifier(object)] = Addition(request: request, service: service.id)
            manager.add(object)
        }
    }

    /// A service was added, or refused (G2).
    func added(_ service: CBService, _ error: PlatformError?, _ backend: isolated Backend) {
        guard let addition = additions.removeValue(forKey: ObjectIdentifier(service)) else {
            return backend.countStray()
        }
        if error != nil { forget(addition.service) }
        backend.emit(.reply(addition.request, error.map { .failure($0.operationFailure) } ?? .success(())))
    }

    private func keep(_ object: CBMutableService, for service: LocalService) {
        services[service.id] = object
        for (local, characteristic) in zip(service.characteristics, object.characteristics ?? []) {
            guard let characteristic = characteristic as? CBMutableCharacteristic else { continue }
            characteristics[local.id] = characteristic
            numbers[ObjectIdentifier(characteristic)] = local.id
        }
    }

    private func makeService(_ service: LocalService) -> Result<CBMutableService, BackendFailure> {
        let included = service.includedServices.compactMap { services[$0] }
        guard included.count == service.includedServices.count else { return .failure(.includedServiceMissing) }
        var made: [CBMutableCharacteristic] = []
        for characteristic in service.characteristics {
            switch CBMutableCharacteristic.make(characteristic) {
            case .failure(let failure): return .failure(failure)
            case .success(let object): made.append(object)
            }
        }
        let object = CBMutableService(type: service.uuid.object, primary: service.isPrimary)
        object.characteristics = made
        if !included.isEmpty { object.includedServices = included }
        return .success(object)
    }

    // MARK: Removing

    /// Offers a service no longer. G2: there is no answer to that.
    ///
    /// - Returns: Its characteristics.
    @discardableResult
    func remove(_ id: AttributeID, _ manager: CBPeripheralManager) -> Set<AttributeID> {
        guard let object = services[id] else { return [] }
        let characteristics = forget(id)
        manager.remove(object)
        return characteristics
    }

    @discardableResult
    private func forget(_ id: AttributeID) -> Set<AttributeID> {
        guard let object = services.removeValue(forKey: id) else { return [] }
        var gone: Set<AttributeID> = []
        additions[ObjectIdentifier(object)] = nil
        for characteristic in object.characteristics ?? [] {
            guard let id = numbers.removeValue(forKey: ObjectIdentifier(characteristic)) else { continue }
            characteristics[id] = nil
            gone.insert(id)
        }
        return gone
    }

    /// Forgets all services: CoreBluetooth has none any more.
    func removeAll() {
        services = [:]
        characteristics = [:]
        numbers = [:]
        additions = [:]
        restored = []
    }

    // MARK: Restoration

    /// Keeps services that CoreBluetooth restored (R3).
    func restore(_ services: [CBMutableService]) { restored = services }

    /// Takes the restored service that is the same as one to be added. Another one of the same UUID is removed: it is
    /// that of an earlier version of the program.
    private func takeRestored(_ service: LocalService, _ manager: CBPeripheralManager) -> CBMutableService? {
        let included = service.includedServices.compactMap { services[$0] }
        if let place = restored.firstIndex(where: { $0.isSame(as: service, including: included) }) {
            return restored.remove(at: place)
        }
        if let place = restored.firstIndex(where: { BluetoothUUID($0.uuid) == service.uuid }) {
            manager.remove(restored.remove(at: place))
        }
        return nil
    }
}

extension CBMutableService {
    /// Whether a restored service has the contents of a service to be added.
    fileprivate func isSame(as service: LocalService, including included: [CBMutableService]) -> Bool {
        let characteristics = characteristics ?? []
        return BluetoothUUID(uuid) == service.uuid && isPrimary == service.isPrimary
            && (includedServices ?? []).map(ObjectIdentifier.init) == included.map(ObjectIdentifier.init)
            && characteristics.count == service.characteristics.count
            && zip(characteristics, service.characteristics).allSatisfy { object, local in
                (object as? CBMutableCharacteristic)?.isSame(as: local) ?? false
            }
    }
}

extension BackendFailure {
    fileprivate static var includedServiceMissing: BackendFailure {
        BackendFailure(
            name: "CoreBluetooth.includedService", message: "an included service is not offered",
            advice: "add included services first")
    }
}
#endif
