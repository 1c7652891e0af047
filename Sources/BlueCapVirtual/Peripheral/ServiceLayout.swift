// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// Where the services of a virtual peripheral stand in its table. A service keeps its handles as long as it stays.
struct ServiceLayout {
    enum Owner {
        case characteristic(VirtualCharacteristic)
        case descriptor(VirtualDescriptor)
    }

    private(set) var services: [VirtualService] = []
    private(set) var owners: [UInt16: Owner] = [:]
    private(set) var valueHandles: [ObjectIdentifier: UInt16] = [:]
    private var ranges: [ObjectIdentifier: ClosedRange<UInt16>] = [:]
    private var next = 1

    /// Replaces the services.
    ///
    /// - Returns: The handles of services that are gone, or have moved.
    mutating func change(to services: [VirtualService]) -> [UInt16] {
        let all = Self.withIncluded(services)
        let old = self.services
        let kept = Set(all.map { ObjectIdentifier($0) })
        let gone = old.filter { !kept.contains(ObjectIdentifier($0)) }
        let before = ranges
        var moved = gone
        for service in gone { ranges[ObjectIdentifier(service)] = nil }
        for service in all where ranges[ObjectIdentifier(service)] == nil { place(service) }
        let fresh = all.filter { ranges[ObjectIdentifier($0)] == nil }
        if next + fresh.reduce(0, { $0 + Self.size(of: $1) }) > Int(UInt16.max) {
            // No handles left above the others: every service moves.
            moved = old
            ranges = [:]
            next = 1
        }
        for service in all where ranges[ObjectIdentifier(service)] == nil {
            let size = Self.size(of: service)
            precondition(next + size - 1 <= Int(UInt16.max), "a GATT database has 65,535 attributes at most")
            ranges[ObjectIdentifier(service)] = UInt16(next)...UInt16(next + size - 1)
            next += size
        }
        self.services = all
        return moved.compactMap { before[ObjectIdentifier($0)]?.lowerBound }.sorted()
    }

    /// Gives a service the place that it asks for, if that is free.
    private mutating func place(_ service: VirtualService) {
        guard let start = service.wantedHandle, start > 0 else { return }
        let end = Int(start) + Self.size(of: service) - 1
        guard end <= Int(UInt16.max), !ranges.values.contains(where: { $0.overlaps(start...UInt16(end)) }) else {
            return
        }
        ranges[ObjectIdentifier(service)] = start...UInt16(end)
        next = max(next, end + 1)
    }

    func start(of service: VirtualService) -> UInt16? { ranges[ObjectIdentifier(service)]?.lowerBound }

    /// The services with their included services, each once.
    private static func withIncluded(_ services: [VirtualService]) -> [VirtualService] {
        var all: [VirtualService] = []
        var known: Set<ObjectIdentifier> = []
        // Each behind the service that names it first, without a call for each service within another.
        var waiting = Array(services.reversed())
        while let service = waiting.popLast() {
            guard known.insert(ObjectIdentifier(service)).inserted else { continue }
            all.append(service)
            waiting += service.includedServices.reversed()
        }
        return all
    }

    private static func size(of service: VirtualService) -> Int {
        service.characteristics.reduce(1 + service.includedServices.count) { sum, characteristic in
            sum + 2 + (characteristic.hasConfiguration ? 1 : 0) + characteristic.descriptors.count
        }
    }

    /// Makes the table, and notes the owner of each value.
    mutating func makeTable() -> AttributeTable {
        owners = [:]
        valueHandles = [:]
        var table = AttributeTable()
        for service in services { append(service, to: &table) }
        table.sort()
        return table
    }

    private func entry(_ service: VirtualService) -> ServiceEntry? {
        ranges[ObjectIdentifier(service)].map {
            ServiceEntry(start: $0.lowerBound, end: $0.upperBound, uuid: service.uuid, isPrimary: service.isPrimary)
        }
    }

    private mutating func append(_ service: VirtualService, to table: inout AttributeTable) {
        guard let entry = entry(service) else { return }
        var handle = entry.start
        func add(_ uuid: BluetoothUUID, _ kind: AttributeKind, _ permissions: AttributePermissions, _ length: Int = 512)
        {
            table.append(
                Attribute(handle: handle, uuid: uuid, kind: kind, permissions: permissions, maximumLength: length))
            handle &+= 1
        }
        add(service.isPrimary ? "2800" : "2801", .service(entry), .readable)
        for included in service.includedServices {
            guard let target = self.entry(included) else { continue }
            add("2802", .include(IncludeEntry(handle: handle, service: target)), .readable)
        }
        for characteristic in service.characteristics {
            let declaration = CharacteristicEntry(
                declaration: handle, value: handle + 1, properties: characteristic.properties,
                uuid: characteristic.uuid)
            add("2803", .declaration(declaration), .readable)
            owners[handle] = .characteristic(characteristic)
            valueHandles[ObjectIdentifier(characteristic)] = handle
            add(characteristic.uuid, .value(declaration), characteristic.permissions, characteristic.maximumLength)
            if characteristic.hasConfiguration {
                add(.clientConfiguration, .configuration(of: declaration), [.readable, .writeable])
            }
            for descriptor in characteristic.descriptors {
                owners[handle] = .descriptor(descriptor)
                add(descriptor.uuid, .descriptor, descriptor.permissions)
            }
        }
    }
}

extension VirtualCharacteristic {
    fileprivate var hasConfiguration: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }
}
