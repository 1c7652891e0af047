// SPDX-License-Identifier: MIT

import BlueCapCore
import Foundation

/// The objects of a central manager as the system keeps them between two programs (R3).
struct RestoredCentral: Sendable {
    struct Peripheral: Sendable {
        var peer: PeerIdentifier
        var isConnected: Bool
        var maximumTransmissionUnit: Int
        var services: [Service]?
        /// The services that others include, and that are none of `services`.
        var included: [Service]
    }

    struct Service: Sendable {
        var number: AttributeID
        var uuid: Data
        var isPrimary: Bool
        var included: [AttributeID]?
        var characteristics: [Characteristic]?
    }

    struct Characteristic: Sendable {
        var number: AttributeID
        var uuid: Data
        var properties: CBCharacteristicProperties
        var isNotifying: Bool
        var descriptors: [Descriptor]?
    }

    struct Descriptor: Sendable {
        var number: AttributeID
        var uuid: Data
    }

    var peripherals: [Peripheral]
    var scannedServices: [Data]?
    var scansDuplicates: Bool?
}

extension RestoredCentral.Peripheral {
    init(_ peripheral: CBPeripheral) {
        let listed = peripheral.services ?? []
        self.init(
            peer: peripheral.peer, isConnected: peripheral.state == .connected,
            maximumTransmissionUnit: peripheral.maximumTransmissionUnit,
            services: peripheral.services?.map { RestoredCentral.Service($0) },
            included: peripheral.allServices.filter { service in !listed.contains { $0 === service } }.map {
                RestoredCentral.Service($0)
            })
    }
}

extension RestoredCentral.Service {
    fileprivate init(_ service: CBService) {
        self.init(
            number: service.number, uuid: service.uuid.data, isPrimary: service.isPrimary,
            included: service.includedServices?.map(\.number),
            characteristics: service.characteristics?.map { characteristic in
                RestoredCentral.Characteristic(
                    number: characteristic.number, uuid: characteristic.uuid.data,
                    properties: characteristic.properties, isNotifying: characteristic.isNotifying,
                    descriptors: characteristic.descriptors?.map {
                        RestoredCentral.Descriptor(number: $0.number, uuid: $0.uuid.data)
                    })
            })
    }
}

extension CBPeripheral {
    /// Makes the tree of objects that the system kept.
    func restore(_ memory: RestoredCentral.Peripheral) {
        state = memory.isConnected ? .connected : .connecting
        maximumTransmissionUnit = memory.maximumTransmissionUnit
        guard let kept = memory.services else { return }
        isDiscovered = true
        let all = kept + memory.included
        let made = all.map { kept in
            let service = CBService(
                uuid: CBUUID(data: kept.uuid), number: kept.number, isPrimary: kept.isPrimary, peripheral: self,
                host: host)
            service.characteristics = kept.characteristics?.map { kept in
                let characteristic = CBCharacteristic(
                    uuid: CBUUID(data: kept.uuid), number: kept.number, properties: kept.properties, service: service,
                    host: host)
                characteristic.isNotifying = kept.isNotifying
                characteristic.descriptors = kept.descriptors?.map {
                    CBDescriptor(
                        uuid: CBUUID(data: $0.uuid), number: $0.number, characteristic: characteristic, host: host)
                }
                return characteristic
            }
            return service
        }
        for (service, kept) in zip(made, all) {
            service.includedServices = kept.included.map { numbers in made.filter { numbers.contains($0.number) } }
        }
        services = Array(made.prefix(kept.count))
    }
}
