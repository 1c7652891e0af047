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
        /// The number of the exchange that it is a reply of.
        var exchange: Int?
    }

    /// In the order of their handles; none overlaps another.
    private(set) var services: [Service] = []
    private(set) var includes: [UInt16: Include] = [:]
    private(set) var characteristics: [UInt16: Characteristic] = [:]
    private(set) var types: [UInt16: BluetoothUUID] = [:]
    private(set) var values: [UInt16: Bytes] = [:]
    private(set) var demands: [UInt16: Demand] = [:]
    private(set) var notifications: [UInt16: [Notification]] = [:]
    /// When notifications were switched on, by the handle that was written.
    private(set) var subscriptions: [UInt16: [Timestamp]] = [:]
    private(set) var exchanges = ObservedExchanges()
    /// About how much memory all of this takes.
    private(set) var byteCount = 0
    /// About how many entries there are.
    var entryCount: Int { byteCount / Self.entryByteCount }
    /// How many entries were looked at to add others. Tests count them, as a clock would count the machine, too.
    private(set) var stepCount = 0
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
        let start = services.firstIndex(reaching: { $0.range.last >= service.range.first })
        var end = start
        while end < services.count, services[end].range.first <= service.range.last { end += 1 }
        stepCount += 1 + end - start
        let isKnown = services[start..<end].contains { $0.range.first == service.range.first }
        if isKnown, end == start + 1, services[start] == service { return }
        guard services.count < Self.maximumServiceCount || isKnown else { return }
        // The database has changed: the services that stood there are gone.
        byteCount += Self.entryByteCount * (1 - (end - start))
        services.replaceSubrange(start..<end, with: CollectionOfOne(service))
        set(service.isPrimary ? .primaryService : .secondaryService, at: service.range.first)
    }

    mutating func add(_ include: Include, at handle: UInt16) {
        guard include.range.first > 0, include.range.first <= include.range.last else { return }
        guard includes.count < Self.maximumServiceCount || includes[handle] != nil else { return }
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
    }

    /// The device sent a value.
    ///
    /// - Parameter open: The exchange of the client that it was sent to.
    mutating func notified(
        _ value: Bytes, at handle: UInt16, time: Timestamp?, in open: inout ObservedExchanges.Open?
    ) {
        let exchange = exchanges.sent(value, by: handle, at: time, to: &open)
        add(Notification(time: time, value: value, exchange: exchange), at: handle)
    }

    private mutating func add(_ notification: Notification, at handle: UInt16) {
        notifications[handle, default: []].append(notification)
        // A reply is kept with its exchange, too.
        byteCount += notification.value.count + Self.entryByteCount * (notification.exchange == nil ? 1 : 2)
    }

    /// A client writes a value, and may get replies.
    ///
    /// - Parameter open: The client's exchange before, and from now on.
    mutating func wrote(
        _ value: Bytes, to handle: UInt16, time: Timestamp?, in open: inout ObservedExchanges.Open?
    ) {
        let count = exchanges.all.count
        open = exchanges.begin(.init(handle: handle, value: value), at: time, after: open)
        if exchanges.all.count > count { byteCount += value.count + Self.entryByteCount }
    }

    /// A client's writes have no further replies.
    mutating func close(_ open: inout ObservedExchanges.Open?) {
        if let last = open { exchanges.close(last) }
        open = nil
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

    /// Takes over all that a later one shows.
    mutating func merge(_ later: ObservedDatabase) {
        for service in later.services { add(service) }
        for (handle, include) in later.includes { add(include, at: handle) }
        for characteristic in later.characteristics.values { add(characteristic) }
        for (handle, type) in later.types { add(type: type, at: handle) }
        for (handle, value) in later.values { set(value, at: handle) }
        for (handle, demand) in later.demands {
            if let level = demand.read { self.demand(level, at: handle, isWrite: false) }
            if let level = demand.write { self.demand(level, at: handle, isWrite: true) }
        }
        let numbers = exchanges.merge(later.exchanges)
        for (handle, notifications) in later.notifications {
            for var each in notifications {
                each.exchange = each.exchange.flatMap { numbers[$0] }
                add(each, at: handle)
            }
        }
        for (handle, times) in later.subscriptions { for time in times { subscribed(with: handle, at: time) } }
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
        var steps = 0
        return allServices(&steps)
    }

    /// The same, and how many entries were looked at.
    func allServices(_ steps: inout Int) -> [Service] {
        var all: [Service] = []
        var rest = services[...]
        // Those of the same service in the order of their declarations.
        let sorted = includes.sorted { ($0.value.range.first, $0.key) < ($1.value.range.first, $1.key) }
        for (_, include) in sorted {
            steps += 1
            while let next = rest.first, next.range.last < include.range.first {
                all.append(next)
                rest = rest.dropFirst()
                steps += 1
            }
            guard let uuid = uuid(of: include), all.last.map({ $0.range.last < include.range.first }) ?? true,
                rest.first.map({ $0.range.first > include.range.last }) ?? true
            else { continue }
            all.append(Service(range: include.range, uuid: uuid, isPrimary: false))
        }
        return all + rest
    }

    /// The UUID of an included service. Its own declaration has it, too, where that was read, and the include
    /// declaration leaves out a long one.
    private func uuid(of include: Include) -> BluetoothUUID? {
        let type = types[include.range.first]
        let isDeclaration = type == .primaryService || type == .secondaryService
        guard isDeclaration || type == nil, let value = values[include.range.first],
            let read = try? BluetoothUUID(littleEndianBytes: value)
        else { return include.uuid }
        return isDeclaration ? read : include.uuid ?? read
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
