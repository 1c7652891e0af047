// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The handles of a device's database, as clients of a proxy have them.
///
/// They are those of the platform where these are handles, else the places in the database: both are the same in each
/// run, as clients keep them. A characteristic that notifies has a descriptor 2902, which clients look for: where the
/// platform hides it, the next free handle stands for it.
struct HandleTable {
    enum Attribute {
        case characteristic(Characteristic)
        case descriptor(Descriptor)
        /// The 2902 of a characteristic, with the handle of that: no platform lets it be written.
        case configuration(of: Characteristic, UInt32)
    }

    /// The longest list of services in a message, in bytes, unless a single service is longer.
    private static let messageSize = 1360

    private var attributes: [UInt32: Attribute] = [:]
    private var handles: [ObjectIdentifier: UInt32] = [:]
    private var configurations: [ObjectIdentifier: UInt32] = [:]
    private let services: [Service]

    init(_ services: [Service]) {
        self.services = services
        number()
        var taken = Set(handles.values)
        var last: UInt32 = 0
        for characteristic in services.flatMap(\.characteristics) { configure(characteristic, &taken, &last) }
    }

    subscript(handle: UInt32) -> Attribute? { attributes[handle] }

    /// The handle of a characteristic's value.
    func handle(of characteristic: Characteristic) -> UInt32 { handles[ObjectIdentifier(characteristic)] ?? 0 }

    private mutating func number() {
        let all = services.flatMap { service in
            [(ObjectIdentifier(service), service.id, Attribute?.none)]
                + service.characteristics.flatMap { characteristic in
                    [(ObjectIdentifier(characteristic), characteristic.id, .characteristic(characteristic))]
                        + characteristic.descriptors.map { (ObjectIdentifier($0), $0.id, .descriptor($0)) }
                }
        }
        let areHandles =
            Set(all.map(\.1)).count == all.count && all.allSatisfy { (1...0xFFFF).contains($0.1.rawValue) }
        for (index, (object, id, attribute)) in all.enumerated() {
            let handle = areHandles ? id.rawValue : UInt32(index + 1)
            handles[object] = handle
            attributes[handle] = attribute
        }
    }

    /// Gives a characteristic that notifies its 2902.
    ///
    /// - Parameters:
    ///   - taken: The handles of all attributes.
    ///   - last: The last handle that was made: a free one is sought behind it, so that each is looked at once.
    private mutating func configure(_ characteristic: Characteristic, _ taken: inout Set<UInt32>, _ last: inout UInt32)
    {
        guard characteristic.canNotify else { return }
        let known = characteristic.descriptors(withUUID: Descriptor.clientConfiguration).first
        var handle = known.flatMap { handles[ObjectIdentifier($0)] }
        let start = max(self.handle(of: characteristic), last)
        if handle == nil, start < 0xFFFF, let free = (start...0xFFFF).first(where: { !taken.contains($0) }) {
            taken.insert(free)
            (handle, last) = (free, free)
        }
        guard let handle else { return }
        attributes[handle] = .configuration(of: characteristic, self.handle(of: characteristic))
        configurations[ObjectIdentifier(characteristic)] = handle
    }

    // MARK: The list

    /// The whole database, in messages of a bounded size, without the one that ends the list.
    ///
    /// - Parameters:
    ///   - address: The address of the device.
    ///   - usesShortUUIDs: Whether the client knows them.
    func messages(_ address: UInt64, usesShortUUIDs: Bool) -> [ServicesResponse] {
        var messages: [ServicesResponse] = []
        var message = ServicesResponse(address)
        var size = 0
        for service in services {
            let remote = remote(service, usesShortUUIDs)
            let count = remote.encoded.count + 4
            if size > 0, size + count > Self.messageSize {
                messages.append(message)
                (message.services, size) = ([], 0)
            }
            message.services.append(remote)
            size += count
        }
        return message.services.isEmpty ? messages : messages + [message]
    }

    private func remote(_ service: Service, _ usesShortUUIDs: Bool) -> RemoteService {
        var remote = RemoteService()
        remote.handle = handles[ObjectIdentifier(service)] ?? 0
        (remote.uuid, remote.shortUUID) = Self.words(service.uuid, usesShortUUIDs)
        remote.characteristics = service.characteristics.map { self.remote($0, usesShortUUIDs) }
        return remote
    }

    private func remote(_ characteristic: Characteristic, _ usesShortUUIDs: Bool) -> RemoteCharacteristic {
        var remote = RemoteCharacteristic()
        remote.handle = handle(of: characteristic)
        (remote.uuid, remote.shortUUID) = Self.words(characteristic.uuid, usesShortUUIDs)
        remote.properties = UInt32(characteristic.properties.rawValue & 0xFF)
        var descriptors = characteristic.descriptors.map { (handles[ObjectIdentifier($0)] ?? 0, $0.uuid) }
        if let handle = configurations[ObjectIdentifier(characteristic)],
            !descriptors.contains(where: { $0.0 == handle })
        {
            descriptors.append((handle, Descriptor.clientConfiguration))
        }
        remote.descriptors = descriptors.map { handle, uuid in
            var descriptor = RemoteDescriptor()
            descriptor.handle = handle
            (descriptor.uuid, descriptor.shortUUID) = Self.words(uuid, usesShortUUIDs)
            return descriptor
        }
        return remote
    }

    private static func words(_ uuid: BluetoothUUID, _ usesShortUUIDs: Bool) -> (full: [UInt64], short: UInt32) {
        if usesShortUUIDs, let short = uuid.uint32, short != 0 { return ([], short) }
        let halves = uuid.fullLittleEndianBytes.reversed()
        let (high, low) = (halves.prefix(8), halves.suffix(8))
        return ([high.reduce(0) { $0 << 8 | UInt64($1) }, low.reduce(0) { $0 << 8 | UInt64($1) }], 0)
    }
}
