// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

/// A peripheral's database as a central found it.
struct FoundDatabase: Sendable {
    var services: [DiscoveredService] = []
    var characteristics: [DiscoveredCharacteristic] = []

    /// The first characteristic with a UUID; handle 0, which no attribute has, when there is none.
    func characteristic(_ uuid: BluetoothUUID) -> AttributeID {
        characteristics.first { $0.uuid == uuid }?.id ?? AttributeID(handle: 0)
    }
}

extension Recorder {
    func discover(_ peripheral: PeerIdentifier) async throws -> FoundDatabase {
        var found = FoundDatabase()
        found.services = try await services(of: peripheral)
        for service in found.services {
            found.characteristics += try await characteristics(of: peripheral, service.id)
        }
        return found
    }

    func services(of peripheral: PeerIdentifier) async throws -> [DiscoveredService] {
        guard case .services(let services) = try await perform(.discoverServices(peripheral, nil)).get() else {
            throw UnexpectedReply()
        }
        return services
    }

    func characteristics(
        of peripheral: PeerIdentifier, _ service: AttributeID
    ) async throws -> [DiscoveredCharacteristic] {
        let reply = try await perform(.discoverCharacteristics(peripheral, service: service, nil)).get()
        guard case .characteristics(let characteristics) = reply else { throw UnexpectedReply() }
        return characteristics
    }

    func descriptors(
        of peripheral: PeerIdentifier, _ characteristic: AttributeID
    ) async throws -> [DiscoveredDescriptor] {
        let reply = try await perform(.discoverDescriptors(peripheral, characteristic: characteristic)).get()
        guard case .descriptors(let descriptors) = reply else { throw UnexpectedReply() }
        return descriptors
    }

    /// Connects and discovers.
    func open(_ peripheral: VirtualPeripheral) async throws -> FoundDatabase {
        #expect(await connect(peripheral.identifier) == nil)
        return try await discover(peripheral.identifier)
    }
}

struct UnexpectedReply: Error {}
