// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Foundation

extension CBPeripheral {
    /// Looks for services. Those found before stay, and so do their objects (D1, D6).
    public func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        guard let manager = managerForCommand("discoverServices") else { return }
        let (uuids, changes) = (serviceUUIDs?.map(\.identity), changeCount)
        manager.perform(.discoverServices(peer, uuids), of: peer) { [self] result in
            if host.has(.silentDiscovery) { return }
            // A list that was begun before a change may name services that are gone: the system asks again.
            if changeCount != changes, state == .connected { return discoverServices(serviceUUIDs) }
            var error: NSError?
            switch result {
            case .success(.services(let found)): services = merge(found, into: services)
            case .success: break
            case .failure(let failure): error = .operation(failure, host: host)
            }
            // The length of a command is right from here on, and commands have room (C14, E5).
            if !host.has(.noReadySignal) { isDiscovered = true }
            delegate?.peripheral(self, didDiscoverServices: error)
            signalReady()
        }
    }

    /// Looks for the services that one includes.
    public func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
        guard let manager = managerForCommand("discoverIncludedServices", isValid: owns(service)) else { return }
        let (uuids, changes) = (includedServiceUUIDs?.map(\.identity), changeCount)
        let operation = CentralOperation.discoverIncludedServices(peer, service: service.number, uuids)
        manager.perform(operation, of: peer) { [self] result in
            if host.has(.silentDiscovery) { return }
            if changeCount != changes, state == .connected, owns(service) {
                return discoverIncludedServices(includedServiceUUIDs, for: service)
            }
            var error: NSError?
            switch result {
            case .success(.services(let found)): service.includedServices = merge(found, into: service.includedServices)
            case .success: break
            case .failure(let failure): error = .operation(failure, host: host)
            }
            delegate?.peripheral(self, didDiscoverIncludedServicesFor: service, error: error)
        }
    }

    /// Looks for the characteristics of a service.
    public func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        guard let manager = managerForCommand("discoverCharacteristics", isValid: owns(service)) else { return }
        let uuids = characteristicUUIDs?.map(\.identity)
        let operation = CentralOperation.discoverCharacteristics(peer, service: service.number, uuids)
        manager.perform(operation, of: peer) { [self] result in
            if host.has(.silentDiscovery) { return }
            var error: NSError?
            switch result {
            case .success(.characteristics(let found)):
                var all = service.characteristics ?? []
                for found in found where !all.contains(where: { $0.number == found.id }) {
                    all.append(
                        CBCharacteristic(
                            uuid: CBUUID(found.uuid), number: found.id,
                            properties: CBCharacteristicProperties(rawValue: UInt(found.properties.rawValue)),
                            service: service, host: host))
                }
                service.characteristics = all.sorted { $0.number < $1.number }
            case .success: break
            case .failure(let failure): error = .operation(failure, host: host)
            }
            delegate?.peripheral(self, didDiscoverCharacteristicsFor: service, error: error)
        }
    }

    /// Looks for the descriptors of a characteristic.
    public func discoverDescriptors(for characteristic: CBCharacteristic) {
        guard let manager = managerForCommand("discoverDescriptors", isValid: owns(characteristic)) else { return }
        let operation = CentralOperation.discoverDescriptors(peer, characteristic: characteristic.number)
        manager.perform(operation, of: peer) { [self] result in
            if host.has(.silentDiscovery) { return }
            var error: NSError?
            switch result {
            case .success(.descriptors(let found)):
                var all = characteristic.descriptors ?? []
                for found in found where !all.contains(where: { $0.number == found.id }) {
                    all.append(
                        CBDescriptor(
                            uuid: CBUUID(found.uuid), number: found.id, characteristic: characteristic, host: host))
                }
                characteristic.descriptors = all.sorted { $0.number < $1.number }
            case .success: break
            case .failure(let failure): error = .operation(failure, host: host)
            }
            delegate?.peripheral(self, didDiscoverDescriptorsFor: characteristic, error: error)
        }
    }

    /// Adds found services to known ones, without those that the system keeps to itself (D5).
    private func merge(_ found: [DiscoveredService], into known: [CBService]?) -> [CBService] {
        var all = known ?? []
        let every = allServices + all
        for found in found where !all.contains(where: { $0.number == found.id }) {
            if [0x1800, 0x1801].contains(found.uuid.uint16) { continue }
            all.append(
                every.first { $0.number == found.id && $0.isValid }
                    ?? CBService(
                        uuid: CBUUID(found.uuid), number: found.id, isPrimary: found.isPrimary, peripheral: self,
                        host: host))
        }
        return all.sorted { $0.number < $1.number }
    }

    // MARK: Service Changed

    /// The named services are invalid (D3). With the fault all objects are.
    func servicesChanged(_ numbers: [AttributeID]?) {
        changeCount += 1
        let isAll = host.has(.allObjectsNew)
        let named = allServices.filter { numbers?.contains($0.number) ?? true }
        for service in isAll ? allServices : named { service.invalidate() }
        services = services?.filter(\.isValid)
        delegate?.peripheral(self, didModifyServices: named)
    }

    // MARK: Checks

    func owns(_ service: CBService?) -> Bool { service.map { $0.isValid && $0.peripheral === self } ?? false }

    func owns(_ characteristic: CBCharacteristic?) -> Bool {
        characteristic.map { $0.isValid && owns($0.service) } ?? false
    }

    func owns(_ descriptor: CBDescriptor) -> Bool { descriptor.isValid && owns(descriptor.characteristic) }
}
