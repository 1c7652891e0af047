// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The part of one device's database that the packets of the Attribute Protocol show.
struct ObservedDatabase: Sendable {
    struct Service: Sendable, Hashable {
        var range: HandleRange
        var uuid: BluetoothUUID
        var isPrimary: Bool
    }

    struct Include: Sendable, Hashable {
        var range: HandleRange
        /// Nil where the UUID has 128 bits, which an include declaration does not hold.
        var uuid: BluetoothUUID?
    }

    struct Characteristic: Sendable, Hashable {
        var declaration: UInt16
        var value: UInt16
        var uuid: BluetoothUUID
        var properties: CharacteristicProperties
    }

    /// The security that the device demanded, as its refusals and answers show.
    struct Demand: Sendable, Hashable {
        var read: TwinSecurity?
        var write: TwinSecurity?
    }

    struct Notification: Sendable, Hashable {
        var time: Timestamp?
        var value: Bytes
    }

    private(set) var services: [UInt16: Service] = [:]
    private(set) var includes: [UInt16: Include] = [:]
    private(set) var characteristics: [UInt16: Characteristic] = [:]
    private(set) var types: [UInt16: BluetoothUUID] = [:]
    private(set) var values: [UInt16: Bytes] = [:]
    private(set) var demands: [UInt16: Demand] = [:]
    private(set) var notifications: [UInt16: [Notification]] = [:]
    /// When notifications were switched on, by the handle that was written.
    private(set) var subscriptions: [UInt16: [Timestamp]] = [:]
    /// About how much memory all of this takes.
    private(set) var byteCount = 0
    /// The value of Device Name, and where it stands.
    private var named: (handle: UInt16, text: String)?
    /// The name of the device as it was read; an empty one is none.
    var name: String? { named?.text }
    var isEmpty: Bool { byteCount == 0 }

    /// The maximum number of remembered subscriptions to one characteristic.
    private static let maximumSubscriptionCount = 64
    private static let entryByteCount = 96
    /// Devices have a few dozen; a hostile file must not make each of a million costly.
    private static let maximumServiceCount = 1024

    // MARK: Declarations

    mutating func add(_ service: Service) {
        guard service.range.first > 0, service.range.first <= service.range.last else { return }
        let start = service.range.first
        if services[start] == service { return }
        guard services.count < Self.maximumServiceCount || services[start] != nil else { return }
        // The database has changed: the services that stood there are gone.
        for (old, other) in services where old != start && other.range.overlaps(service.range) {
            services[old] = nil
            byteCount -= Self.entryByteCount
        }
        if services.updateValue(service, forKey: start) == nil { byteCount += Self.entryByteCount }
        set(service.isPrimary ? .primaryService : .secondaryService, at: start)
    }

    mutating func add(_ include: Include, at handle: UInt16) {
        guard include.range.first > 0, include.range.first <= include.range.last else { return }
        let known = includes[handle]
        // A read of the declaration has completed it.
        if let known, known.range == include.range, known.uuid != nil, include.uuid == nil { return }
        guard includes.count < Self.maximumServiceCount || known != nil else { return }
        if includes.updateValue(include, forKey: handle) == nil { byteCount += Self.entryByteCount }
        set(.include, at: handle)
    }

    mutating func add(_ characteristic: Characteristic) {
        guard characteristic.value > characteristic.declaration else { return }
        if characteristics.updateValue(characteristic, forKey: characteristic.declaration) == nil {
            byteCount += Self.entryByteCount
        }
        set(.characteristic, at: characteristic.declaration)
        set(characteristic.uuid, at: characteristic.value)
    }

    mutating func add(type: BluetoothUUID, at handle: UInt16) {
        if !set(type, at: handle) { byteCount += Self.entryByteCount }
    }

    /// - Returns: Whether the attribute had a type before.
    @discardableResult
    private mutating func set(_ type: BluetoothUUID, at handle: UInt16) -> Bool {
        let old = types.updateValue(type, forKey: handle)
        if type == .deviceName { findName(at: handle) } else if named?.handle == handle { named = nil }
        return old != nil
    }

    /// Takes a value for the device's name: the first that there is, and none that is empty.
    private mutating func findName(at handle: UInt16) {
        guard named.map({ handle <= $0.handle }) ?? true, let value = values[handle],
            let text = try? SerDe.deserialize(value, as: String.self), !text.isEmpty
        else { return }
        named = (handle, text)
    }

    // MARK: Values

    mutating func set(_ value: Bytes, at handle: UInt16) {
        let old = values.updateValue(value, forKey: handle)
        byteCount += value.count - (old?.count ?? -Self.entryByteCount)
        if types[handle] == .deviceName { findName(at: handle) }
        // An include declaration leaves out a long UUID; the included service's own declaration has it.
        if types[handle] == .primaryService || types[handle] == .secondaryService || isIncluded(handle),
            let uuid = try? BluetoothUUID(littleEndianBytes: value)
        {
            for (declaration, include) in includes where include.range.first == handle {
                includes[declaration]?.uuid = uuid
            }
        }
    }

    private func isIncluded(_ handle: UInt16) -> Bool {
        includes.values.contains { $0.range.first == handle && $0.uuid == nil }
    }

    mutating func notified(_ value: Bytes, at handle: UInt16, time: Timestamp?) {
        notifications[handle, default: []].append(Notification(time: time, value: value))
        byteCount += value.count + Self.entryByteCount
    }

    /// A central wrote the descriptor that switches notifications on.
    mutating func subscribed(with handle: UInt16, at time: Timestamp?) {
        // Centrals do not ask for the type of the only descriptor behind a value that notifies: it is this.
        if types[handle] == nil, handle > 2, let characteristic = characteristics[handle - 2],
            characteristic.value == handle - 1, !characteristic.properties.isDisjoint(with: [.notify, .indicate])
        {
            add(type: .clientConfiguration, at: handle)
        }
        guard let time, subscriptions[handle, default: []].count < Self.maximumSubscriptionCount else { return }
        subscriptions[handle, default: []].append(time)
        byteCount += Self.entryByteCount
    }

    /// The device let a value be read or written on a link of this kind, or refused until the link is better.
    mutating func demand(_ level: TwinSecurity, at handle: UInt16, isWrite: Bool) {
        var demand = demands[handle] ?? Demand()
        if isWrite {
            demand.write = max(demand.write ?? .open, level)
        } else {
            demand.read = max(demand.read ?? .open, level)
        }
        if demands.updateValue(demand, forKey: handle) == nil { byteCount += Self.entryByteCount }
    }

    // MARK: Looking up

    /// The type of an attribute, where a discovery shows it.
    func type(of handle: UInt16) -> BluetoothUUID? { types[handle] }

    var notificationCount: Int { notifications.values.reduce(0) { $0 + $1.count } }

    /// How many attributes have a value, or sent one, and no declaration.
    var unexplainedCount: Int {
        Set(values.keys).union(notifications.keys).count { types[$0] == nil }
    }

    /// The services, with those included secondary ones that were not discovered by themselves, in the order of their
    /// handles. A service that overlaps another is left out: its attributes would be there several times.
    var allServices: [Service] {
        var all = Array(services.values)
        for include in includes.values.sorted(by: { $0.range.first < $1.range.first }) {
            guard let uuid = include.uuid, !all.contains(where: { $0.range.overlaps(include.range) }) else { continue }
            all.append(Service(range: include.range, uuid: uuid, isPrimary: false))
        }
        return all.sorted { $0.range.first < $1.range.first }
    }

    /// How many attributes a discovery shows without the service or the characteristic that they belong to.
    var unplacedCount: Int {
        var services = allServices[...]
        var declarations = characteristics.keys.sorted()[...]
        var count = 0
        for handle in types.filter({ !BluetoothUUID.declarations.contains($0.value) }).keys.sorted() {
            services = services.drop { $0.range.last < handle }
            guard let service = services.first, service.range.first <= handle else {
                count += 1
                continue
            }
            // A handle behind the first characteristic of a service is a value or a descriptor.
            declarations = declarations.drop { $0 < service.range.first }
            if declarations.first ?? .max > handle { count += 1 }
        }
        return count
    }
}

extension BluetoothUUID {
    static let primaryService: BluetoothUUID = "2800"
    static let secondaryService: BluetoothUUID = "2801"
    static let include: BluetoothUUID = "2802"
    static let characteristic: BluetoothUUID = "2803"
    /// The types of attributes that declare others.
    static let declarations: Set<BluetoothUUID> = [.primaryService, .secondaryService, .include, .characteristic]
    static let clientConfiguration: BluetoothUUID = "2902"
    static let deviceName: BluetoothUUID = "2A00"
}
